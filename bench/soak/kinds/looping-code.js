// An environment whose code never ends, for nodes that may have it: in Ruby, in the Puppet language, and in a pattern.
import { catalogRequest } from '../../server/client.js'
import { nodeFacts } from '../node-facts.js'
import { captured } from '../place.js'
import { pusherTo } from './pushed.js'

const environment = 'looping'
const shapes = {
  loop_template: "notice(inline_template('<% loop { } %>'))",
  loop_manifest: 'Integer[1, 100000].each |$a| { Integer[1, 100000].each |$b| { $c = $a * $b } }',
  loop_recursion: 'function looping(Integer $n) { looping($n + 1) }\nlooping(0)',
  loop_pattern: `$found = "${'a'.repeat(200)}!" =~ /^(a+)+$/`,
  loop_growth: 'Integer[1, 40].reduce("aaaaaaaaaa") |$text, $n| { "$text$text" }',
}
let count = 0
let run = 0

export const loopingCode = {
  every: 30,
  withinMs: 28_000,
  prepare({ repository }) {
    const sites = Object.keys(shapes).map((name, number) => `node '${captured[number]}' {\n  include ${name}\n}\n`)
    const classes = Object.entries(shapes).map(([name, code]) => [`${name}.pp`, codeOf(name, code)])
    const pusher = pusherTo(repository)
    const manifests = { 'site.pp': sites.join(''), ...Object.fromEntries(classes) }
    pusher.branch(environment, pusher.commit({ manifests }))
  },
  async act({ ask }) {
    const number = count++ % Object.keys(shapes).length
    const name = captured[number]
    const { status } = await ask(name, catalogRequest(nodeFacts(name, run++), environment))
    return `${Object.keys(shapes)[number]}: ${status}`
  },
}

/** A function stands beside the class that calls it. */
function codeOf(name, code) {
  const lines = code.split('\n')
  return `${lines.slice(0, -1).join('\n')}\nclass ${name} {\n  ${lines.at(-1)}\n}\n`
}
