import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../src/base/issue.ts'
import { openCommandLineCode } from '../../src/code/environments/environment-opener.ts'
import { compile } from '../../src/compiler/compile.ts'
import { CatalogError } from '../../src/compiler/request/catalog-error.ts'
import type { CompileLog } from '../../src/compiler/request/compile-request.ts'
import { createPlainNode } from '../../src/model/node.ts'
import { buildTrustedFacts } from '../../src/node/facts/trusted.ts'
import { manifestOf, modules, readCases, readManifests } from '../language/cases/read-cases.js'
import { plainRequest } from '../support/plain-request.js'

const node = 'test.example.com'

type Case = ReturnType<typeof readCases>[number]

/** What an expression is worth in a manifest, or why it is worth nothing; all that a manifest says. */
function worthOf(each: Case): string {
  const modulepath = each.isWhole ? [modules] : []
  const environment = openCommandLineCode({ name: 'production', modulepath, manifest: { text: manifestOf(each) } })
  try {
    const { logs } = compile(
      plainRequest(environment, {
        node: createPlainNode(node, 'production'),
        trusted: buildTrustedFacts({ authenticated: 'local', certname: undefined }),
        strict: each.strict,
        strictVariables: each.strictVariables,
      }),
    )
    return each.isWhole ? allSaid(logs) : logs.at(-1)!.message
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    const message = `! ${error.message.replace(/ on node test\.example\.com$/, '')}`
    const before = each.isWhole && error instanceof CatalogError ? error.logs : []
    return before.length === 0 ? message : `${allSaid(before)}\n${message}`
  }
}

function allSaid(logs: readonly CompileLog[]): string {
  return logs.map(({ level, message }) => (level === 'notice' ? message : `${level}: ${message}`)).join('\n')
}

/** Cases that this compiler answers otherwise, each with its reason. */
const differing: readonly (readonly [RegExp, string])[] = [
  [/^generate\('\/|^find_file\(.*passwd/, 'a compile reads and runs nothing but its own code'],
]

const isPlayed = ({ code }: Case): boolean => !differing.some(([pattern]) => pattern.test(code))

describe.each([...byFile()])('%s', (_, cases) => {
  it.each(cases.map((each) => [each.line, each] as const))('line %i', (_, each) => {
    expect(worthOf(each).replaceAll(modules, '').replaceAll('\n', '⏎')).toBe(each.expected)
  })
})

function byFile(): Map<string, Case[]> {
  const files = new Map<string, Case[]>()
  for (const each of [...readCases(), ...readManifests()].filter(isPlayed))
    files.set(basename(each.file), [...(files.get(basename(each.file)) ?? []), each])
  return files
}
