import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Value } from '../../language/values/value.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { directSystem } from '../../machine/system/local-system.ts'
import type { Catalog } from '../../model/catalog.ts'
import { applyCatalog } from '../../node/agent/catalog-application.ts'
import { createModuleSources } from '../../node/agent/file-sources.ts'
import { createConsoleLog, createLog } from '../../node/agent/log.ts'
import { createWebSources } from '../../node/agent/web-sources.ts'
import type { FactValues } from '../../node/facts/fact.ts'
import { capitalizeTypeName } from '../../node/resources/reference.ts'
import type { DeclaredValues, NativeTypeDefinition } from '../../node/resources/type.ts'
import type { NodeMachineOptions } from '../../ruby/node/node-machine.ts'
import type { Io } from '../command/command.ts'

const issues = defineIssues({
  BAD_ATTRIBUTE_WORD: { text: (a: { word: string }) => `Could not run: Invalid parameter setting ${a.word}` },
})

/** A change of one resource. */
export interface ResourceChangeInput {
  readonly type: NativeTypeDefinition
  readonly title: string
  readonly values: DeclaredValues
  readonly settings: Settings
  readonly facts: FactValues
  readonly io: Io
  /** Options of the Ruby machine, for a type that is defined in a module. */
  readonly ruby?: NodeMachineOptions
}

/** Parses words such as `mode=0600`. Throws BAD_ATTRIBUTE_WORD. */
export function parseAttributeWords(words: readonly string[]): DeclaredValues {
  return new Map(
    words.map((word): [string, Value] => {
      const [, name, value] = /^(\w+)=(.+)$/s.exec(word) ?? throwIssue(issues.BAD_ATTRIBUTE_WORD, { word })
      return [name!, value!]
    }),
  )
}

/** Applies a catalog of one resource; returns false if it failed. */
export async function applySingleResource({
  type,
  title,
  values,
  settings,
  facts,
  io,
  ruby,
}: ResourceChangeInput): Promise<boolean> {
  const reference = { type: capitalizeTypeName(type.name), title, tags: [type.name], exported: false }
  const place = { file: undefined, line: undefined, kind: 'compilable_type' as const }
  const catalog: Catalog = {
    name: settings.certname,
    version: 0,
    codeId: undefined,
    catalogUuid: '',
    environment: settings.environment,
    tags: [],
    classes: [],
    resources: [{ ...reference, ...place, parameters: values }],
    edges: [],
    metadata: new Map(),
    recursiveMetadata: new Map(),
  }
  for (const folder of ['statedir', 'clientbucketdir'] as const)
    await directSystem.files.makeDirectory(settings[folder], 0o750)
  const log = createConsoleLog(io, 'notice')
  const quiet = createLog({ write: (line) => void (line.source === undefined || log.write(line)) })
  const sources = createModuleSources(directSystem.files, settings.modulepath)
  const applied = await applyCatalog(catalog, {
    settings,
    system: directSystem,
    machine: directSystem,
    facts,
    sources,
    web: createWebSources(settings),
    gems: settings,
    log: quiet,
    ...(ruby ? { ruby } : {}),
  })
  await applied.restart.start()
  return applied.applied && !applied.statuses.some(({ failed }) => failed)
}
