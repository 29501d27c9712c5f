// Runs inside the real client's own runtime, before the client itself starts: answers with what the
// client's functions and its JavaScript engine give for the inputs of a file, and ends the process.
// A function of the client's is found by words that stand in it; nothing of it is kept anywhere.
const fs = require("node:fs");
const path = require("node:path");

const ROOT = "/$bunfs/root/";
const { question, input, output, scratch } = JSON.parse(process.env.INSPECTOR_JUDGE);

let copies = 0;

/** The function whose source matches `pattern` (group 1: its name), from the chunk that holds it. */
async function own(pattern) {
  for (const name of fs.readdirSync(ROOT)) {
    if (!name.endsWith(".js")) continue;
    const source = fs.readFileSync(ROOT + name, "utf8");
    const found = source.match(pattern);
    if (!found) continue;
    // A copy that also exports the function; what it imports are the client's own modules.
    const copy = path.join(scratch, `judged-${copies++}-${name}`);
    fs.writeFileSync(copy, `${source}\nexport{${found[1]} as judged};`);
    const { judged } = await import(copy);
    fs.unlinkSync(copy);
    return judged;
  }
  throw new Error(`no function of the client matches ${pattern}`);
}

const plain = (value) =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, item) =>
      typeof item === "number" && !Number.isFinite(item) ? `number ${item}` : item,
    ),
  );

/** What a call gives, or that it fails. */
const tried = (call) => (input) => {
  try {
    return { value: plain(call(input)) };
  } catch {
    return { failed: true };
  }
};

const QUESTIONS = {
  compare: () => ([left, right]) => Math.sign(left.localeCompare(right)),
  agents: async () => {
    const compare = await own(/function (\w+)\(\w,\w\)\{let \w=\w\.test\(\w\);if\(\w!==\w\.test\(\w\)\)return \w\?-1:1;if\(\w\)return \w\.localeCompare/);
    return ([left, right]) => Math.sign(compare(left, right));
  },
  width: () => (string) => Bun.stringWidth(string),
  strings: () => (string) => [string.trim(), string.trimEnd(), string.length],
  decode: () => (base64) => new TextDecoder().decode(Buffer.from(base64, "base64")),
  json: () => (text) => JSON.stringify(JSON.parse(text)),
  clean: async () =>
    tried(await own(/function (\w+)\((\w)\)\{if\(typeof \2==="string"\)return \w+\(\2\);if\(Array\.isArray\(\2\)\)return \2\.map\(\1\);[^]{0,200}?__proto__/)),
  described: async () => {
    const clean = await own(/function (\w+)\((\w)\)\{return\{description:\w+\(\2\.description\),argumentHint:/);
    return (description) => clean({ description, argumentNames: [] }).description;
  },
  yaml: () => tried((text) => Bun.YAML.parse(text)),
  frontmatter: async () => {
    const parse = await own(/function (\w+)\(\w,\w,\w\)\{let \w=\w;\w=\w+\(\w\);let \w=\w\.indexOf\("---",3\)/);
    return tried((text) => {
      const { frontmatter, content } = parse(text);
      return { values: frontmatter, body: content };
    });
  },
  patterns: async () => tried(await own(/function (\w+)\(\w\)\{return \w+\(\w,\{results:\w+,bytes:\w+\}\)\}/)),
  ignores: async () => {
    const make = await own(/function (\w+)\(\w\)\{return new \w+\(\w\)\}function \w+\(\w\)\{return!\w+\(\w+\(\w\)\)\}class/);
    return tried(([globs, file]) => make().add(globs).ignores(file));
  },
  picomatch: async () => {
    const make = await own(/,(\w+)=Object\.assign\(\w+,\{isMatch:\w+,makeRe:\w+,parse:\w+\}\)/);
    return tried(([glob, file]) => make([glob], { dot: true })(file));
  },
  comments: async () => {
    const strip = await own(/function (\w+)\((\w)\)\{if\(!\2\.includes\("<!--"\)\)return\{content:\2,stripped:!1\}/);
    return tried((text) => strip(text).content);
  },
  imports: async () => {
    const lex = await own(/function (\w+)\((\w),(\w)\)\{let \w=\3&&new \w+\(\2\.replaceAll\([^)]*\)\.length,\3\);return new \w+\(\{gfm:!1/);
    const find = await own(/function (\w+)\(\w,\w\)\{let \w=new Set;function \w\(\w\)\{let \w=\/\(\?:\^\|\\s\)@/);
    return tried((text) => find(lex(text), "/w/p/CLAUDE.md"));
  },
};

const answer = await QUESTIONS[question]();
const asked = JSON.parse(fs.readFileSync(input, "utf8"));
fs.writeFileSync(output, JSON.stringify(asked.map((one) => answer(one))));
process.exit(0);
