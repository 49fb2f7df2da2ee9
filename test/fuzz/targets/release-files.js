import { parseAssignments, parseRedhatRelease, splitVersion } from '../../../dist/node/facts/core/os/os-release.js'
import { parseTimezoneRule } from '../../../dist/node/facts/core/timezone.js'
import { parseElfHardware } from '../../../dist/node/facts/root/elf.js'
import { must, textOf } from '../target.js'

/** Release files, the time zone and a program of a root directory. @type {import('../target.js').Target} */
export default {
  name: 'release-files',
  seeds: [
    'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.22.1\nPRETTY_NAME="Alpine Linux v3.22"\n',
    '# comment\nID_LIKE="rhel centos fedora"\n',
    'CentOS Linux release 7.9.2009 (Core)\n',
    'Fedora release 43 (Forty Three)\n',
    'TZif2\nCET-1CEST,M3.5.0,M10.5.0/3\n',
    'TZif2\n<+0545>-5:45\n',
    new Uint8Array([...'\x7fELF\x02\x01'].map((each) => each.charCodeAt(0)).concat(Array(12).fill(0), [62, 0])),
    new Uint8Array([...'\x7fELF\x02\x02'].map((each) => each.charCodeAt(0)).concat(Array(12).fill(0), [0, 22])),
  ],
  dictionary: [
    '=',
    '"',
    "'",
    '#',
    '\n',
    'NAME=',
    'ID=',
    'VERSION_ID=',
    '__proto__=',
    'release ',
    'linux',
    '(',
    ')',
    '.',
    '<',
    '>',
    '\x7fELF',
  ],
  run(bytes) {
    const text = textOf(bytes)
    const values = parseAssignments(text)
    for (const value of Object.values(values)) must(!/["'\n]/.test(value ?? ''), 'a value is a line without quotes')
    must(Object.getPrototypeOf(values) === Object.prototype, 'a variable does not become the prototype')
    const { version, codename } = parseRedhatRelease(text.trim())
    must(!/\s/.test(version ?? ''), 'a version is a word')
    must(!/[()]/.test(codename ?? ''), 'a codename has no parentheses')
    must(splitVersion(version)?.full === (version || undefined), 'the full version is the version')
    const zone = parseTimezoneRule(Buffer.from(bytes))
    must(zone === undefined || Number.isFinite(zone.west), 'an offset is a number')
    must(/^\w*$/.test(parseElfHardware(bytes) ?? ''), 'hardware is a word')
  },
}
