import { PuppetError } from '../../../dist/base/issue.js'
import { parseHocon } from '../../../dist/machine/settings/hocon/hocon.js'
import { allowing, textOf } from '../target.js'

/** HOCON, as auth.conf, routes and Hiera data have it: read to the end, or refused. @type {import('../target.js').Target} */
export default {
  name: 'hocon',
  seeds: [
    'a = 1\nb : { c = [1, 2.5, true, null] }\nb.d = ${a}',
    'list = [a, b] ${?more}\ntext = """three\nlines"""\n# a comment\n// another\n"quoted key" += x',
    'x { y { z = "\\u00e9\\n" } }, path = ${x.y.z}/bin ${HOME}\nx = ${x} { w = 5 s }',
  ],
  dictionary: [
    '=',
    ':',
    '+=',
    '{',
    '}',
    '[',
    ']',
    '${',
    '${?',
    '}',
    '"""',
    '"',
    '#',
    '//',
    ',',
    '\n',
    '.',
    'include',
    'include file(',
    'null',
    'true',
    'a',
    'b',
    '${a}',
    '${?a.b}',
    'a.b = ',
    '\\u0041',
  ],
  // What refers to itself is copied as often as its budget has it, however short the text is.
  nsPerByte: 5_000,
  run(bytes) {
    const text = textOf(bytes)
    const value = allowing([PuppetError], () => parseHocon({ file: 'x.conf', text }, { env: { HOME: '/root' } }))
    allowing([PuppetError], () => parseHocon({ file: 'x.conf', text }, { includes: 'left out' }))
    return value && JSON.stringify(value)
  },
}
