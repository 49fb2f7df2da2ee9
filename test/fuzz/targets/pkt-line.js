import { PuppetError } from '../../../dist/base/issue.js'
import { parseFetchPktLines } from '../../../dist/code/git/fetch-command.js'
import { encodePktLine, parsePktLines, readPktLine } from '../../../dist/code/git/pkt-line.js'
import { parsePushHead } from '../../../dist/code/git/push-commands.js'
import { buildPushRejection } from '../../../dist/code/git/push-report.js'
import { isOid, isSafeRef } from '../../../dist/code/git/ref-names.js'
import { allowing, must } from '../target.js'

const [a, none] = ['a'.repeat(40), '0'.repeat(40)]
const fetch = ['0011command=fetch', '0001', `0032want ${a}\n`, `0032have ${a}\n`, '0009done\n', '0000'].join('')

/** Requests of git's clients: lines, heads of pushes, commands of protocol 2. @type {import('../target.js').Target} */
export default {
  name: 'pkt-line',
  seeds: [
    fetch,
    `${encodePktLine(`${none} ${a} refs/heads/x\0 report-status side-band-64k push-options`)}00000008opt10000PACK`,
    `${encodePktLine(`shallow ${a}`)}${encodePktLine(`${a} ${none} refs/tags/v1\0`)}0000`,
    '0014command=ls-refs\n00010009peel\n0000',
    '0000',
  ],
  dictionary: [
    '0000',
    '0001',
    '0002',
    '0003',
    '0004',
    'fff0',
    'ffff',
    'want ',
    'have ',
    'shallow ',
    'push-cert',
    '\0',
    '\n',
    'refs/heads/',
    a,
    none,
  ],
  run(bytes) {
    const body = Buffer.from(bytes)
    const lines = allowing([PuppetError], () => parsePktLines(body))
    if (lines) {
      const written = lines.map((line) =>
        line.kind === 'data'
          ? encodePktLine(line.bytes)
          : Buffer.from(`000${['flush', 'delimiter', 'end'].indexOf(line.kind)}`),
      )
      must(
        Buffer.concat(written).toString('latin1').toLowerCase() === body.toString('latin1').toLowerCase(),
        'lines are not what they were',
      )
    }
    const command = allowing([PuppetError], () => parseFetchPktLines(body))
    if (command?.kind === 'fetch') for (const want of command.wants) must(isOid(want), `'${want}' is no id`)
    const head = allowing([PuppetError], () => headOf(body))
    for (const { ref, before, after } of head?.commands ?? [])
      must(isSafeRef(ref) && ref.startsWith('refs/') && isOid(before) && isOid(after), `'${ref}' is no ref`)
    if (head) parsePktLines(buildPushRejection(head, { reasons: new Map(), otherwise: 'no', lines: ['x'] }))
  },
}

/** @param {Buffer} body */
function headOf(body) {
  const reading = parsePushHead({ refs: 100, optionBytes: 1000 })
  let at = 0
  for (let step = reading.next(); ; ) {
    if (step.done) return step.value
    const taken = readPktLine(body, at)
    at = taken?.next ?? at
    step = reading.next(taken?.line)
  }
}
