import { PuppetError } from '../../../dist/base/issue.js'
import {
  getParameter,
  listParameterValues,
  mergeParameters,
  parseParameters,
} from '../../../dist/server/http/parameters.js'
import { allowing, must, textOf } from '../target.js'

/** Characters beyond which a comparison would take longer than what is measured. */
const mostCompared = 4096

/** Form bodies and query strings: any text has parameters, as URLSearchParams reads them. @type {import('../target.js').Target} */
export default {
  name: 'form',
  seeds: [
    'environment=production&facts_format=application%2Fjson&facts=%257B%2522a%2522%3A1%257D',
    'checksum_type[]=md5&checksum_type[]=sha256&a+b=c%20d&=x&y',
    'node=x&ip=1&bucket_path=/&a=%zz&b=%ff&c=%e2%82%ac',
  ],
  dictionary: [
    '&',
    '=',
    '%',
    '%25',
    '%00',
    '%ff',
    '%c3%a9',
    '+',
    '[]',
    'node=',
    'environment=',
    'facts=',
    '&&',
    'x=',
    '%zz',
    '&a',
    '&a=',
  ],
  run(bytes) {
    const text = textOf(bytes)
    const parameters = allowing([PuppetError], () => parseParameters(text))
    if (!parameters) return
    must(getParameter(parameters, 'node') === undefined, 'a client may not say who it is')
    listParameterValues(mergeParameters(parameters, parameters), 'checksum_type')
    if (text.length > mostCompared) return
    const ours = [...parameters].flatMap(([name, values]) => values.map((value) => `${name}=${value}`)).sort()
    const theirs = [...new URLSearchParams(text.replace(/^\?/, '%3F'))]
      .filter(([name]) => !['node', 'ip', 'bucket_path'].includes(name))
      .map(([name, value]) => `${name}=${value}`)
      .sort()
    must(
      JSON.stringify(ours) === JSON.stringify(theirs),
      `read as ${JSON.stringify(ours)}, not ${JSON.stringify(theirs)}`,
    )
  },
}
