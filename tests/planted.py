"""One secret of every vendor's kind, as tests plant and look for them; all are made up."""

TOKENS = {
    "anthropic": "sk-ant-api03-" + "Ab1_" * 20,
    "anthropic oauth": "sk-ant-oat01-" + "x9-Y" * 10,
    "openai": "sk-" + "aB3d" * 12,
    "openai project": "sk-proj-" + "aB3_" * 12,
    "openrouter": "sk-or-v1-" + "0123456789abcdef" * 4,
    "stripe": "sk_live_" + "aB3d" * 6,
    "github": "ghp_" + "aB3d" * 9,
    "github app": "ghs_" + "aB3d" * 9,
    "github fine-grained": "github_pat_" + "aB3d" * 9,
    "gitlab": "glpat-" + "aB3d" * 5,
    "aws": "AKIA" + "Q7R2" * 4,
    "google": "AIza" + "aB3d-" * 7,
    "slack": "xoxb-1234567890-aB3daB3d",
    "npm": "npm_" + "aB3d" * 9,
    "hugging face": "hf_" + "aB3d" * 9,
    "pypi": "pypi-AgEI" + "cHlw" * 12,
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF_-1234567",
}
