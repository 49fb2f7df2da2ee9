import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'
import { parseJson, printJson } from '../../base/json-text.ts'
import { fileName } from '../../indirector/file-name.ts'
import type { Terminus } from '../../indirector/terminus.ts'
import type { CatalogWire } from '../../model/catalog.ts'
import { yamlToJson } from '../../ruby-semantics/yaml/yaml-data.ts'
import { yamlText } from '../../ruby-semantics/yaml/yaml-text.ts'
import type { Files } from '../../system/system.ts'

const issues = defineIssues({
  DAMAGED_CATALOG: {
    text: (a: { path: string }) => `${a.path} is damaged: it is not what was written there`,
    hint: () => 'the next catalog from the server replaces it',
  },
})

/** The text of a catalog in a file, and back. */
interface Format {
  readonly extension: string
  print(catalog: CatalogWire): string
  parse(text: string, path: string): CatalogWire
}

/** Catalogs in JSON, each with the digest of its text as its first member, which Puppet skips. */
export const jsonFormat: Format = {
  extension: 'json',
  print(catalog) {
    const rest = printJson(catalog).slice(1)
    return `{"digest":"${digestOf(rest)}",${rest}`
  },
  parse(text, path) {
    const [, digest, rest] = /^\{"digest":"(\{sha256\}[0-9a-f]{64})",(.*)$/s.exec(text) ?? []
    if (rest === undefined) return parseJson(text) as CatalogWire
    return digestOf(rest) === digest ? (parseJson(`{${rest}`) as CatalogWire) : fail(issues.DAMAGED_CATALOG, { path })
  },
}

const yamlTag = '!ruby/object:Puppet::Resource::Catalog'

/** Catalogs in YAML, as Puppet's are; the first line is a comment with the digest of all behind it. */
export const yamlFormat: Format = {
  extension: 'yaml',
  print(catalog) {
    const text = yamlText(catalog, yamlTag)
    return `# ${digestOf(text)}\n${text}`
  },
  parse(text, path) {
    const [, digest, rest = text] = /^# (\{sha256\}[0-9a-f]{64})\n(.*)$/s.exec(text) ?? []
    if (digest !== undefined && digestOf(rest) !== digest) fail(issues.DAMAGED_CATALOG, { path })
    const bare = rest.startsWith(`--- ${yamlTag}\n`) ? `---\n${rest.slice(rest.indexOf('\n') + 1)}` : rest
    return yamlToJson(bare, {}) as CatalogWire
  },
}

function digestOf(text: string): string {
  return `{sha256}${createHash('sha256').update(text).digest('hex')}`
}

/** The last catalog of a node in a file of its own: `client_data/catalog/NAME.json`. */
export function catalogFiles(
  files: Files,
  directory: string,
  format: Format,
): Required<Pick<Terminus<CatalogWire>, 'find' | 'save'>> {
  const folder = join(directory, 'catalog')
  const pathOf = (key: string) => join(folder, `${fileName('catalog', key)}.${format.extension}`)
  return {
    async find({ key }) {
      const path = pathOf(key)
      const text = await files.readText(path)
      return text === undefined ? undefined : format.parse(text, path)
    },
    async save(catalog, { key }) {
      await files.makeDirectory(folder, 0o750)
      // Sensitive values stand in the file in plain text, readable for its owner only.
      await files.write(pathOf(key), format.print(catalog), 0o600)
    },
  }
}
