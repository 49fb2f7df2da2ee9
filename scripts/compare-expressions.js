// Random expressions, beside real Puppet: `npm run expressions -- [--types] [--seed N] [--count N] [--at-least PERCENT]`
// prints those that are worth something else here, or fail with other words; with `--types`, of types and their `new`.
// Needs Debian's Puppet and a build.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PuppetError } from '#built/base/issue.js'
import { openCommandLineCode } from '#built/code/environments/environment-opener.js'
import { compile } from '#built/compiler/compile.js'
import { createPlainNode } from '#built/model/node.js'
import { buildTrustedFacts } from '#built/node/facts/trusted.js'
import { installRubyRegexpEngine } from '#built/ruby/regexp-engine.js'
import { manifestOf } from '../test/language/cases/read-cases.js'
import { plainRequest } from '../test/support/plain-request.js'
import { randomExpressions } from './random-expressions.js'
import { randomTypeExpressions } from './random-types/expressions.js'

const node = 'test.example.com'
/** What real Puppet prints as an object of Ruby's, cannot finish, or trips over. */
const isNoAnswer =
  /0x0000|#<Puppet|execution expired|failed to allocate|undefined method|undefined local|Could not parse for/

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '5000' },
    'at-least': { type: 'string', default: '100' },
    types: { type: 'boolean', default: false },
  },
})
installRubyRegexpEngine()
const makeSome = values.types ? randomTypeExpressions : randomExpressions
const codes = makeSome(Number(values.seed), Number(values.count))
const answers = askPuppet(codes)
const asked = codes.map((code, index) => ({ code, real: answers[index] })).filter(({ real }) => !isNoAnswer.test(real))
const different = asked.map((each) => ({ ...each, here: worthOf(each.code) })).filter(({ here, real }) => here !== real)
for (const { code, here, real } of different) console.log(`${code}\n  here: ${here}\n  real: ${real}`)
const percent = (100 * (asked.length - different.length)) / asked.length
console.log(`${asked.length - different.length} of ${asked.length} random expressions agree: ${percent.toFixed(2)}%`)
process.exitCode = percent < Number(values['at-least']) ? 1 : 0

function askPuppet(all) {
  const oracle = fileURLToPath(new URL('../test/oracle/evaluate.rb', import.meta.url))
  const input = all
    .map((code) =>
      JSON.stringify({ manifest: manifestOf({ code, isWhole: false }), strict: 'error', strict_variables: true }),
    )
    .join('\n')
  return execFileSync('ruby', [oracle], { input, encoding: 'utf8', maxBuffer: 1 << 30 })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ error, logs }) => (error === undefined ? logs.at(-1)[1] : `! ${error}`))
}

function worthOf(code) {
  const environment = openCommandLineCode({
    name: 'production',
    modulepath: [],
    manifest: { text: manifestOf({ code, isWhole: false }) },
  })
  try {
    const { logs } = compile(
      plainRequest(environment, {
        node: createPlainNode(node, 'production'),
        trusted: buildTrustedFacts({ authenticated: 'local', certname: undefined }),
      }),
    )
    return logs.at(-1)?.message
  } catch (error) {
    if (!(error instanceof PuppetError)) return `!!! ${error.stack}`
    return `! ${error.message.replace(` on node ${node}`, '')}`
  }
}
