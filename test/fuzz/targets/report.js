import fc from 'fast-check'
import { PuppetError } from '../../../dist/base/issue.js'
import { toPrintable } from '../../../dist/base/text/printable.js'
import { reportFromWire } from '../../../dist/model/report.js'
import { allowing, must, textOf } from '../target.js'

/** A report as an agent sends it: refused in words; what of it is shown holds no control character. @type {import('../target.js').Target} */
export default {
  name: 'report',
  seeds: [
    '{"host":"web1","time":"2026-11-20T10:00:00Z","status":"changed","configuration_version":1,"logs":[{"level":"notice","message":"hello","source":"Puppet","tags":[],"time":"x","file":null,"line":null}],"metrics":{"time":{"name":"time","label":"Time","values":[["total","Total",1.5]]}},"resource_statuses":{"File[/a]":{"title":"/a","events":[]}}}',
    '{"host":"w","time":"","status":"failed","logs":[],"metrics":{},"resource_statuses":{}}',
  ],
  dictionary: [
    '"host":',
    '"time":',
    '"status":',
    '"logs":',
    '"level":',
    '"message":',
    '"metrics":',
    '"resource_statuses":',
    '{',
    '}',
    '[',
    ']',
    'null',
    '\\u001b[2K',
    '\\u202e',
    '\\ud800',
    '\\n',
    ',',
    ':',
  ],
  grammar: fc.string({ unit: 'binary' }).map((message) =>
    JSON.stringify({
      host: message,
      time: 't',
      status: 's',
      logs: [{ level: 'err', message }],
      metrics: {},
      resource_statuses: {},
    }),
  ),
  run(bytes) {
    const json = allowing([SyntaxError], () => JSON.parse(textOf(bytes)))
    const report = json === undefined ? undefined : allowing([PuppetError], () => reportFromWire(json))
    if (!report) return
    for (const text of [
      report.host,
      report.time,
      report.status,
      ...report.logs.flatMap(({ level, message }) => [level, message]),
    ]) {
      const shown = toPrintable(text)
      must(
        !/[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(shown),
        `shown with control characters: ${JSON.stringify(shown)}`,
      )
      must(Buffer.from(shown).toString() === shown, `shown with half a character: ${JSON.stringify(shown)}`)
    }
  },
}
