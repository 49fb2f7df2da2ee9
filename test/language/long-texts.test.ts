import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../src/base/issue.ts'
import { parseHieraConfig } from '../../src/compiler/hiera/config.ts'
import { parseUri } from '../../src/language/ruby-semantics/uri/parse-uri.ts'
import { YamlError } from '../../src/language/ruby-semantics/yaml/yaml-error.ts'
import { parseSource } from '../../src/language/syntax/parser/parser.ts'
import { findJsonError } from '../../src/language/syntax/validation/json-syntax.ts'
import { validateProgram } from '../../src/language/syntax/validation/validate.ts'
import { parseYaml } from '../../src/language/values/yaml.ts'
import { parseHocon } from '../../src/machine/settings/hocon/hocon.ts'
import { parsePuppetConf } from '../../src/machine/settings/puppet-conf.ts'

const characters = 256 * 1024
const check = (text: string, epp = false) => {
  const { program } = parseSource({ file: 'a.pp', text }, { epp })
  validateProgram(program, { strict: 'error' })
}
/** What reads a text that was pushed, on the event loop or in the hook. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  manifest: (text) => check(text),
  heredoc: (text) => check(`$a = @("E")\n${text}E x\n  E\n`),
  template: (text) => check(text, true),
  yaml: parseYaml,
  'hiera.yaml': (text) => parseHieraConfig(text, 'hiera.yaml', 'environment'),
  'environment.conf': (text) => parsePuppetConf({ file: 'environment.conf', text }),
  hocon: (text) => parseHocon({ file: 'auth.conf', text }),
  json: findJsonError,
  uri: parseUri,
}
const starts = ['', 'a: ', 'a = ', '"', 'A::']
const repeated = [
  ' ',
  '\t',
  '\r',
  '\n',
  'a',
  'A',
  '0',
  '0_',
  '_',
  '-',
  '=',
  '#',
  '/',
  '/**/',
  '/*',
  '\\',
  "'",
  '%',
  '<%#%>',
  'x<%#%>',
  ':',
  '::A',
  '.',
  '$',
  '@',
]

describe('a text of 256 KiB', () => {
  it.each(Object.entries(readers))('is read in time that its length bounds: %s', { timeout: 120_000 }, (_, read) => {
    const slow: string[] = []
    for (const start of starts)
      for (const each of repeated) {
        const began = process.cpuUsage()
        attempt(() => read(`${start}${each.repeat(characters / each.length)}\u2028`))
        const { user } = process.cpuUsage(began)
        // Where it is quadratic it takes half a minute.
        if (user > 5_000_000) slow.push(`${JSON.stringify(start)} ${JSON.stringify(each)}: ${user / 1e6} s`)
      }
    expect(slow).toEqual([])
  })
})

/** What is wrong with such a text is said; a bug of ours is not caught. */
function attempt(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof PuppetError || error instanceof YamlError)) throw error
  }
}
