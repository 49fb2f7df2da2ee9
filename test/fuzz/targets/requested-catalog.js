import { PuppetError } from '../../../dist/base/issue.js'
import { isExactObject } from '../../../dist/base/json/exact-json.js'
import { parseFactValues } from '../../../dist/model/facts.js'
import { parseRequestedCatalog } from '../../../dist/server/bodies/requested-catalog.js'
import { allowing, must, textOf } from '../target.js'

/** The body of `POST /puppet/v4/catalog`: refused in words, or read into values of the types that they should have. @type {import('../target.js').Target} */
export default {
  name: 'requested-catalog',
  seeds: [
    '{"certname":"web1","environment":"production","persistence":{"facts":false,"catalog":false}}',
    '{"certname":"web1","environment":"production","persistence":{"facts":true,"catalog":true},"facts":{"values":{"kernel":"Linux","trusted":{"certname":"web1"},"n":1.0}},"trusted_facts":{"values":{"10":1}},"transaction_uuid":"u","job_id":"1","options":{"capture_logs":true,"log_level":"debug","prefer_requested_environment":true}}',
    '[]',
    'null',
    '',
  ],
  dictionary: [
    ...['"certname":', '"environment":', '"persistence":', '"facts":', '"catalog":', '"values":', '"trusted_facts":'],
    ...['"trusted":', '"options":', '"log_level":', '"capture_logs":', '"job_id":', '"__proto__":', '"constructor":'],
    ...['{', '}', '[', ']', 'null', 'true', '1.0', '"10":', ',', ':', '"'],
  ],
  run(bytes) {
    const asked = allowing([SyntaxError, PuppetError], () => parseRequestedCatalog(textOf(bytes)))
    if (asked === undefined) return
    must(typeof asked.certname === 'string' && /^\w+$/.test(asked.environment), 'names')
    for (const flag of [
      ...[asked.persistence.facts, asked.persistence.catalog],
      ...[asked.captureLogs, asked.preferRequestedEnvironment],
    ])
      must(typeof flag === 'boolean', `a flag is ${flag}`)
    must(['warning', 'err', 'info', 'debug'].includes(asked.logLevel), `a level is ${asked.logLevel}`)
    for (const text of [asked.transactionUuid, asked.jobId])
      must(text === undefined || typeof text === 'string', `a text is ${text}`)
    must(asked.trusted === undefined || isExactObject(asked.trusted), 'trusted facts are an object')
    if (asked.facts) must(isExactObject(parseFactValues(asked.facts.values)), 'facts are an object')
  },
}
