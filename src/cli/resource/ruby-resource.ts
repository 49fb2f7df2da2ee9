import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { convertJsonToValue } from '../../language/values/json-values.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import { createConsoleLog } from '../../node/agent/log.ts'
import { requireTrustedFolders } from '../../node/agent/process/trusted-folders.ts'
import { type InspectedResource, RubyInspection } from '../../node/agent/ruby/ruby-inspection.ts'
import { createRubyOptions } from '../../node/agent/ruby/ruby-options.ts'
import { collectFacts } from '../../node/facts/collection.ts'
import { metaparameterAttributes } from '../../node/resources/metaparameters.ts'
import type { DeclaredValues, NativeTypeDefinition } from '../../node/resources/type.ts'
import { types } from '../../node/resources/types.ts'
import type { CommandInvocation } from '../command/command.ts'
import { formatRubyYaml } from '../command/ruby-format.ts'
import { openModules } from '../input/code-source.ts'
import { withLibraries } from '../module/module-files.ts'
import { applySingleResource } from './resource-change.ts'

const issues = defineIssues({
  NO_SUCH_TYPE: {
    text: (a: { type: string }) => `Could not run: Could not find type ${a.type}`,
    hint: (a) => formatSuggestion(a.type, types.keys()),
  },
  NO_PARAMETER: { text: (a: { name: string }) => `Could not run: no parameter named '${a.name}'` },
})

/** A request for resources of a type. */
interface Asked {
  readonly typeName: string
  /** Title of the resource; undefined to list all resources of the type. */
  readonly title: string | undefined
  /** Attribute values to set. */
  readonly values: DeclaredValues
  readonly yaml: boolean
}

/** Formats resources of a Ruby type from a module, after setting the given values. Throws NO_SUCH_TYPE. */
export async function formatRubyResources(
  { settings: given, io }: Pick<CommandInvocation, 'settings' | 'io'>,
  { typeName, title, values, yaml }: Asked,
): Promise<{ readonly text: string; readonly isChanged: boolean }> {
  const settings = loadSettings({ given, runMode: 'user' })
  requireTrustedFolders(settings)
  const code = await openModules({ options: {}, settings: given, io }, loadSettings({ given, runMode: 'server' }))
  return withLibraries(code, async (libraries) => {
    const facts = await collectFacts(directSystem, { factDirectories: [], legacy: false, log: () => {} })
    const ruby = createRubyOptions({ settings, facts, loadPath: [...libraries, settings.plugindest] })
    const openInspection = () => RubyInspection.open(typeName.toLowerCase(), ruby, createConsoleLog(io, 'notice'))
    const isThere = ruby.loadPath.some((path) =>
      existsSync(join(path, 'puppet', 'type', `${typeName.toLowerCase()}.rb`)),
    )
    const inspection =
      (isThere ? await openInspection() : undefined) ?? throwIssue(issues.NO_SUCH_TYPE, { type: typeName })
    try {
      const { type } = inspection
      checkAttributes(type, values)
      const changes = title !== undefined && values.size > 0
      const isChanged = !changes || (await applySingleResource({ type, title, values, settings, facts, io, ruby }))
      const inspectResource = (name: string) => (changes ? inspection.managed(name, values) : inspection.one(name))
      const found = title === undefined ? await inspection.all() : [await inspectResource(title)]
      const formatManifests = () => found.map(({ manifest }) => manifest).join('') || '\n'
      const text = yaml
        ? formatRubyYaml(convertJsonToValue({ [type.name]: groupValuesByTitle(found) }))
        : formatManifests()
      return { text, isChanged }
    } finally {
      await inspection.close()
    }
  })
}

/** Throws NO_PARAMETER if the type has no attribute of a given name. */
export function checkAttributes(type: NativeTypeDefinition, values: DeclaredValues): void {
  for (const name of values.keys()) if (!isAttribute(type, name)) throwIssue(issues.NO_PARAMETER, { name })
}

function isAttribute({ attributes }: NativeTypeDefinition, name: string): boolean {
  return name === 'name' || Object.hasOwn(attributes, name) || Object.hasOwn(metaparameterAttributes, name)
}

function groupValuesByTitle(found: readonly InspectedResource[]): Record<string, ExactJson> {
  return Object.fromEntries(found.map(({ title, values }) => [title, values as ExactJson]))
}
