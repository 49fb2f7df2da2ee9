import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ExactJson } from '../../src/base/json/exact-json.ts'
import { beginCompilation } from '../../src/compiler/begin/compilation-setup.ts'
import { compile } from '../../src/compiler/compile.ts'
import type { CompileRequest } from '../../src/compiler/request/compile-request.ts'
import { LegacyRubyFunction, RubyFunction } from '../../src/ruby/session/ruby-functions.ts'
import { countRecalledCalls } from '../../src/ruby/session/traced/call-memory.ts'
import { ownRuby, type RubyShare } from '../../src/ruby/worker-share.ts'
import { debianModules } from '../support/debian-modules.ts'
import { without } from '../support/needs.ts'
import { isNight, seed } from '../support/nightly.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { facts, filesOf, requestOf } from './beside-puppet.ts'
import { copyRuby, left } from './debian-ruby.ts'
import { functionProbes } from './function-probes.ts'
import { templateProbes } from './template-probes.ts'

/** Each night all of them, else a sample. */

type Facts = Readonly<Record<string, ExactJson>>

/** Every call that is recalled is made again, and compared. */
const checked: RubyShare = { ...ownRuby, checkCallsEvery: 1 }
const recalling: RubyShare = { ...ownRuby, checkCallsEvery: 0 }
const unremembering: RubyShare = { ...ownRuby, checkCallsEvery: undefined }

const modules = scratchFolder('modules')

/** What a manifest says, or why it fails, with all that is logged on the way. */
function said(text: string, request: CompileRequest, known: Facts, share: RubyShare): readonly string[] {
  const environment = { ...request.environment, manifest: { text } }
  try {
    return compile({ ...request, environment, facts: known }, share).logs.map(
      ({ level, message }) => `${level}: ${message}`,
    )
  } catch (error) {
    // Objects are elsewhere each time.
    return [(error as Error).message.replaceAll(/0x[0-9a-f]{6,}/g, '0x…')]
  }
}

/** Facts of which some texts are others, the same for each seed. */
function edited(world: number): Facts {
  let state = seed * 1000 + world
  const isChosen = (): boolean => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state % 12 === 0
  }
  const edit = (value: ExactJson): ExactJson => {
    if (typeof value === 'string') return isChosen() ? `${value}x` : value
    if (Array.isArray(value)) return value.map(edit)
    if (typeof value !== 'object' || value === null || value instanceof Map || value instanceof Number) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, edit(each as ExactJson)]))
  }
  return edit(facts) as Facts
}

/** Where a manifest says something else when calls are recalled, as facts change to and fro. */
function wrong(manifests: readonly string[], path: string) {
  const request = requestOf(path, '')
  const worlds = [facts, edited(1), edited(2)]
  const rounds = [0, 1, 0, 2, 1, 0]
  return manifests.flatMap((manifest) => {
    const wanted = worlds.map((known) => said(manifest, request, known, unremembering))
    return rounds.flatMap((world, round) => {
      const share = round % 2 === 0 ? recalling : checked
      const found = said(manifest, request, worlds[world]!, share)
      return found.join('\n') === wanted[world]!.join('\n')
        ? []
        : [{ manifest, world, round, found, wanted: wanted[world] }]
    })
  })
}

const lacking = without("Debian's modules")

describe.skipIf(lacking)(`What is recalled of Debian's modules${lacking}`, () => {
  it('is what templates give when they run', () => {
    const templates = filesOf(debianModules, 'templates', '.erb')
    const probes = templates
      .filter((_, index) => isNight || index % 90 === seed % 90)
      .flatMap(([module, path]) =>
        templateProbes(`${module}/${path}`, readFileSync(join(debianModules, module, 'templates', path), 'utf8')),
      )
    const before = countRecalledCalls()
    expect(wrong(probes, debianModules)).toEqual([])
    expect(countRecalledCalls() - before).toBeGreaterThan(probes.length)
  }, 1_800_000)

  it('is what functions give when they run', () => {
    copyRuby(modules)
    const files = ['lib/puppet/functions', 'lib/puppet/parser/functions'].flatMap((each) =>
      filesOf(modules, each, '.rb'),
    )
    const names = [...new Set(files.map(([, path]) => path.slice(0, -'.rb'.length).replaceAll('/', '::')))]
    const { host, top } = beginCompilation(requestOf(modules, ''), [])
    const probes = names
      .filter((name, index) => (isNight || index % 30 === seed % 30) && !(name in left))
      .map((name) => [name, host.findFunction(name, top)!] as const)
      .filter(([, found]) => found instanceof RubyFunction || found instanceof LegacyRubyFunction)
      .flatMap(([name, found]) => functionProbes(name, found))
    const before = countRecalledCalls()
    expect(wrong(probes, modules)).toEqual([])
    expect(countRecalledCalls() - before).toBeGreaterThan(probes.length / 4)
  }, 1_800_000)
})
