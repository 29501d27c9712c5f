"""The JSON documents that commands print; names and meanings are an outside contract."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from inspector import wire
from inspector.jsontext import parse
from inspector.score import Row
from inspector.segments import Dialect
from inspector.session import MODEL_KINDS, Exchange, Recording, Session
from inspector.text import Built, Origin
from inspector.turns import Replied
from inspector.verify import Counts, Difference, RequestReport, SessionReport, places

type Document = dict[str, Any]

_VERSION = re.compile(r"/(\d+\.\d+\.\d+[\w.-]*)")


def origin(value: Origin | None) -> str | None:
    """An origin as `kind:name`; None for structure."""
    return None if value is None else f"{value.kind.value}:{value.name}"


def session_row(session: Session, exchanges: Sequence[Exchange]) -> Document:
    """One line of `ls`."""
    return {
        "id": session.id,
        "client": session.client,
        "version": session.version,
        "route": session.route,
        "exchanges": len(exchanges),
        "model_calls": sum(exchange.kind in MODEL_KINDS for exchange in exchanges),
        "started": session.started,
        "continues": session.continues,
    }


def sessions_document(recordings: Iterable[Recording]) -> Document:
    """The document of `ls`."""
    return {"sessions": [session_row(item.session, item.exchanges) for item in recordings]}


def exchange_row(exchange: Exchange) -> Document:
    """One line of `show`."""
    prompt = wire.split(exchange.request)
    model_call = exchange.kind in MODEL_KINDS
    agent = _VERSION.search(exchange.header("user-agent") or "")
    return {
        "id": exchange.id,
        "number": exchange.number,
        "kind": exchange.kind.value,
        "method": exchange.method,
        "url": exchange.url,
        "status": exchange.status,
        "request_bytes": len(exchange.request),
        "request_sha256": exchange.request_sha256,
        "wire_bytes": len(exchange.request_wire),
        "wire_sha256": exchange.wire_sha256,
        "response_bytes": len(exchange.response),
        "model": prompt.model,
        "version": agent[1] if agent else None,
        "usage": None if prompt.dialect is None else _usage(exchange, prompt.dialect),
        "started": exchange.started,
        "ended": exchange.ended,
        "replaced": exchange.replaced,
        "error": exchange.error,
        "request_problem": prompt.problem if model_call else "",
        "response_problem": _response_problem(exchange) if model_call else "",
    }


def _response_problem(exchange: Exchange) -> str:
    """Why an answer that calls itself JSON cannot be read; empty for any other."""
    headers = {name.lower(): value for name, value in exchange.response_headers}
    if "json" not in headers.get("content-type", "") or exchange.error:
        return ""
    try:
        parse(exchange.response)
    except ValueError as error:
        return f"not JSON ({error})"
    return ""


def _usage(exchange: Exchange, dialect: Dialect) -> Document | None:
    headers = {name.lower(): value for name, value in exchange.response_headers}
    content_type = headers.get("content-type", "")
    reply = wire.reply(dialect, exchange.response, content_type, exchange.status or 0)
    if not isinstance(reply, Replied):
        return None
    return {
        "input": reply.input_tokens,
        "cache_read": reply.cache_read_tokens,
        "cache_write": reply.cache_write_tokens,
        "output": reply.output_tokens,
    }


def exchanges_document(recording: Recording) -> Document:
    """The document of `show`."""
    row = session_row(recording.session, recording.exchanges)
    return {
        "session": row["id"],
        **{name: row[name] for name in ("client", "version", "route", "started", "continues")},
        "exchanges": [exchange_row(exchange) for exchange in recording.exchanges],
    }


def counts(value: Counts) -> Document:
    """Bytes by class; the two sub-kinds of input stand beside their whole."""
    return {
        "total": value.total,
        "rebuilt": value.rebuilt,
        "input": value.input,
        "known": value.known,
        "masked": value.masked,
        "adopted": value.adopted,
        "different": value.different,
        "transcript": value.transcript,
        "file_not_kept": value.file_not_kept,
    }


def difference(value: Difference) -> Document:
    """One place where built and captured part."""
    return {
        "path": value.path,
        "verdict": value.verdict,
        "origin": origin(value.origin),
        "at": value.at,
        "built": value.built,
        "captured": value.captured,
    }


def request(report: RequestReport) -> Document:
    """One request's proof."""
    return {
        "exchange": report.exchange,
        "number": report.number,
        "kind": report.kind.value,
        "exact": report.exact,
        "sha256_checked": report.sha256_checked,
        "reason": report.reason,
        "bytes": counts(report.comparison.counts),
        "headers": {
            "equal": len(report.headers.equal),
            "masked": len(report.headers.masked),
            "different": list(report.headers.different),
            "unclaimed": list(report.headers.unclaimed),
            "reordered": list(report.headers.reordered),
        },
        "differences": [difference(item) for item in report.comparison.differences],
    }


def verified(report: SessionReport) -> Document:
    """One session's proof."""
    return {
        "id": report.session,
        "client": report.client,
        "version": report.version,
        "route": report.route,
        "profile": report.profile,
        "profile_exact": report.profile_exact,
        "requests": [request(item) for item in report.requests],
        "notes": list(report.notes),
        "faults": list(report.faults),
        "totals": totals([report]),
    }


def totals(reports: Sequence[SessionReport]) -> Document:
    """The sums over all requests."""
    requests = [item for report in reports for item in report.requests]
    return {
        "requests": len(requests),
        "exact": sum(item.exact for item in requests),
        "sha256_checked": sum(item.sha256_checked for item in requests),
        "bytes": counts(sum((report.counts for report in reports), Counts())),
    }


def verify_document(reports: Sequence[SessionReport]) -> Document:
    """The document of `verify` and of `demo`."""
    return {"sessions": [verified(report) for report in reports], "totals": totals(reports)}


def origins(built: Built) -> Document:
    """The document of `NNN.origins.json`: where each run of text came from."""
    return {
        "schema": 1,
        "runs": [
            {
                "path": place.path,
                "start": place.start,
                "end": place.end,
                "origin": {"kind": place.origin.kind.value, "name": place.origin.name},
                "at": place.at,
                "sealed": place.sealed,
            }
            for place in places(built)
        ],
    }


def score_document(rows: Sequence[Row]) -> Document:
    """The document of `score`."""
    return {
        "rows": [
            {
                "client": row.client,
                "version": row.version,
                "route": row.route,
                "bodies": row.bodies,
                "exact": row.exact,
                "sha256_checked": row.sha256_checked,
                "segments": row.segments,
                "segments_exact": row.segments_exact,
                "segments_exact_percent": row.segments_exact_percent,
                "bytes": counts(row.bytes),
            }
            for row in rows
        ]
    }
