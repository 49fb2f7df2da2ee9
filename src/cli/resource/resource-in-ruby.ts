import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { valueFromJson } from '../../language/values/value-from-json.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import { consoleLog } from '../../node/agent/log.ts'
import { requireTrustedFolders } from '../../node/agent/process/trusted-folders.ts'
import { RubyInspection, type ShownThing } from '../../node/agent/ruby/inspect-in-ruby.ts'
import { rubyOptions } from '../../node/agent/ruby/ruby-options.ts'
import { collectFacts } from '../../node/facts/collect.ts'
import { metaparameters } from '../../node/resources/metaparameters.ts'
import type { GivenValues, TypeDefinition } from '../../node/resources/type.ts'
import { types } from '../../node/resources/types.ts'
import type { Invocation } from '../command/command.ts'
import { rubyYaml } from '../command/ruby-render.ts'
import { openModules } from '../input/code-source.ts'
import { withLibraries } from '../module/module-files.ts'
import { change } from './resource-change.ts'

const issues = defineIssues({
  NO_SUCH_TYPE: {
    text: (a: { type: string }) => `Could not run: Could not find type ${a.type}`,
    hint: (a) => didYouMean(a.type, types.keys()),
  },
  NO_PARAMETER: { text: (a: { name: string }) => `Could not run: no parameter named '${a.name}'` },
})

/** A request for resources of a type. */
interface Asked {
  readonly typeName: string
  /** Undefined for all resources. */
  readonly title: string | undefined
  /** Values to set. */
  readonly values: GivenValues
  readonly yaml: boolean
}

/** Formats resources of a Ruby type from a module, after setting the given values. Throws NO_SUCH_TYPE. */
export async function resourceInRuby(
  { settings: given, io }: Pick<Invocation, 'settings' | 'io'>,
  { typeName, title, values, yaml }: Asked,
): Promise<{ readonly text: string; readonly isChanged: boolean }> {
  const settings = loadSettings({ given, runMode: 'user' })
  requireTrustedFolders(settings)
  const code = await openModules({ options: {}, settings: given, io }, loadSettings({ given, runMode: 'server' }))
  return withLibraries(code, async (libraries) => {
    const facts = await collectFacts(directSystem, { factDirectories: [], legacy: false, log: () => {} })
    const ruby = rubyOptions({ settings, facts, loadPath: [...libraries, settings.plugindest] })
    const open = () => RubyInspection.open(typeName.toLowerCase(), ruby, consoleLog(io, 'notice'))
    const isThere = ruby.loadPath.some((path) =>
      existsSync(join(path, 'puppet', 'type', `${typeName.toLowerCase()}.rb`)),
    )
    const inspection = (isThere ? await open() : undefined) ?? fail(issues.NO_SUCH_TYPE, { type: typeName })
    try {
      const { type } = inspection
      requireAttributes(type, values)
      const changes = title !== undefined && values.size > 0
      const isChanged = !changes || (await change({ type, title, values, settings, facts, io, ruby }))
      const one = (name: string) => (changes ? inspection.managed(name, values) : inspection.one(name))
      const found = title === undefined ? await inspection.all() : [await one(title)]
      const plain = () => found.map(({ manifest }) => manifest).join('') || '\n'
      const text = yaml ? rubyYaml(valueFromJson({ [type.name]: valuesByTitle(found) })) : plain()
      return { text, isChanged }
    } finally {
      await inspection.close()
    }
  })
}

/** Throws NO_PARAMETER if the type has no attribute of a given name. */
export function requireAttributes(type: TypeDefinition, values: GivenValues): void {
  for (const name of values.keys()) if (!isAttribute(type, name)) fail(issues.NO_PARAMETER, { name })
}

function isAttribute({ attributes }: TypeDefinition, name: string): boolean {
  return name === 'name' || Object.hasOwn(attributes, name) || Object.hasOwn(metaparameters, name)
}

function valuesByTitle(found: readonly ShownThing[]): Record<string, ExactJson> {
  return Object.fromEntries(found.map(({ title, values }) => [title, values as ExactJson]))
}
