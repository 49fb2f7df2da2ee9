import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { formatExactJson, parseJson } from '../../../base/json/json-text.ts'
import { convertYamlToJson } from '../../../language/ruby-semantics/yaml/yaml-data.ts'
import { formatYaml } from '../../../language/ruby-semantics/yaml/yaml-text.ts'
import type { Files } from '../../../machine/system/system.ts'
import { pausedMs, removeTemporaryFiles } from '../../../machine/system/temporary-files.ts'
import type { CatalogWire } from '../../../model/catalog.ts'
import type { SignedCatalog } from '../../../model/catalog-signature.ts'
import { checkFileName } from '../../../model/indirector/file-name.ts'
import type { Terminus } from '../../../model/indirector/terminus.ts'
import { rubyTags } from '../../../model/model-readers.ts'

const issues = defineIssues({
  DAMAGED_CATALOG: {
    text: (a: { path: string }) => `${a.path} is damaged: its digest does not match`,
    hint: () => 'The next catalog from the server replaces the file.',
  },
})

/** A file format for catalogs. */
interface Format {
  readonly extension: string
  print(catalog: SignedCatalog): string
  parse(text: string, path: string): SignedCatalog
}

/**
 * The JSON format. The file contains the JSON as received, with the digest and the signature as
 * additional first members, which Puppet ignores.
 */
export const jsonCatalogFormat: Format = {
  extension: 'json',
  print({ wire, text, signature = '' }) {
    const isPlain = text.startsWith('{')
    const rest = (isPlain ? text : formatExactJson(wire)).slice(1)
    return `{"digest":"${computeDigest(rest)}","signature":"${isPlain ? signature : ''}",${rest}`
  },
  parse(file, path) {
    const [, digest, signed = '', rest] = jsonHead.exec(file) ?? []
    const text = rest === undefined ? file : `{${rest}`
    if (rest !== undefined && computeDigest(rest) !== digest) throwIssue(issues.DAMAGED_CATALOG, { path })
    return { wire: parseJson(text) as CatalogWire, text, signature: signed === '' ? undefined : signed }
  },
}

const jsonHead = /^\{"digest":"(\{sha256\}[0-9a-f]{64})",(?:"signature":"([\w.-]*)",)?(.*)$/s

/**
 * The YAML format, as in Puppet. The first line is a comment with the digest of the remaining text;
 * the second, with the signature, exists if the signed JSON can be restored from the YAML.
 */
export const yamlCatalogFormat: Format = {
  extension: 'yaml',
  print({ wire, text, signature }) {
    const plain = formatYaml(wire, rubyTags.catalog)
    const isKept = signature !== undefined && formatExactJson(parseYamlCatalog(plain)) === text
    const signed = `${isKept ? `# signature ${signature}\n` : ''}${plain}`
    return `# ${computeDigest(signed)}\n${signed}`
  },
  parse(file, path) {
    const [, digest, signed = file] = /^# (\{sha256\}[0-9a-f]{64})\n(.*)$/s.exec(file) ?? []
    if (digest !== undefined && computeDigest(signed) !== digest) throwIssue(issues.DAMAGED_CATALOG, { path })
    const [, signature, plain = signed] = /^# signature ([\w.-]+)\n(.*)$/s.exec(signed) ?? []
    const wire = parseYamlCatalog(plain)
    return { wire, text: formatExactJson(wire), signature }
  },
}

function parseYamlCatalog(yaml: string): CatalogWire {
  return convertYamlToJson(yaml, { root: rubyTags.catalog }) as CatalogWire
}

function computeDigest(text: string): string {
  return `{sha256}${createHash('sha256').update(text).digest('hex')}`
}

/** The file with the last catalog of a node: `client_data/catalog/NAME.json`. */
export function createCatalogFiles(
  files: Files,
  directory: string,
  format: Format,
): Required<Pick<Terminus<SignedCatalog>, 'find' | 'save'>> {
  const folder = join(directory, 'catalog')
  const toCatalogPath = (key: string) => join(folder, `${checkFileName('catalog', key)}.${format.extension}`)
  return {
    async find({ key }) {
      const path = toCatalogPath(key)
      const text = await files.readText(path)
      return text === undefined ? undefined : format.parse(text, path)
    },
    async save(catalog, { key }) {
      await files.makeDirectory(folder, 0o750)
      // A run that was killed while it saved a catalog has left the secrets of that catalog.
      await removeTemporaryFiles(folder, files, Date.now(), pausedMs)
      // The file contains sensitive values in plain text; only its owner can read it.
      await files.write(toCatalogPath(key), format.print(catalog), 0o600)
    },
  }
}
