import { basename } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { PuppetError } from '../../base/issue.ts'
import { parseBoundedJson } from '../../base/json/bounded-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { type ModuleDescription, parseModuleDescription } from '../../code/environments/module-dependencies.ts'

/** Parses a metadata.json. Throws SyntaxError, JSON_…, WIRE_SHAPE. */
export function parseModuleMetadata(text: string): Readonly<Record<string, unknown>> {
  const { dataFileCharacters, factsValues } = budgets.workbench
  const json = parseBoundedJson(text, { characters: dataFileCharacters.bound, items: factsValues.bound })
  return checkJsonObject(json, 'metadata.json')
}

/** The description of a module in its metadata.json; undefined if the text is not valid. */
export function readModuleDescription(text: string): ModuleDescription | undefined {
  try {
    return parseModuleDescription(parseModuleMetadata(text))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof PuppetError) return undefined
    throw error
  }
}

/** The short names of the modules that a metadata.json or a Puppetfile names; undefined if the text is not valid. */
export function listNamedModules(path: string, text: string): readonly string[] | undefined {
  if (basename(path) !== 'Puppetfile')
    return readModuleDescription(text)?.dependencies.map(({ name }) => toShortModuleName(name))
  const modules = text.matchAll(/^[ \t]*mod[ \t(]+['"]([\w/-]+)['"]/gm)
  return Array.from(modules, ([, name]) => toShortModuleName(name!))
}

/** `stdlib` for `puppetlabs/stdlib`. */
export function toShortModuleName(name: string): string {
  return name.split(/[-/]/).at(-1)!
}
