import { createHmac, randomBytes } from 'node:crypto'
import { createTwoFilesPatch } from 'diff'
import type { ExactJson } from '../base/json/exact-json.ts'
import { formatExactJson } from '../base/json/json-text.ts'
import { toPrintableLine } from '../base/text/printable.ts'
import { type Catalog, formatResourceReference } from './catalog.ts'
import { catalogToWire } from './catalog-wire.ts'
import { redactSecrets } from './secret-redaction.ts'
import { sourceContent } from './sourced-files.ts'

/** The difference between two catalogs of a node. */
export interface CatalogDiff {
  readonly from: CatalogLabel
  readonly to: CatalogLabel
  /** References of added resources, in the order of the newer catalog. */
  readonly added: readonly string[]
  /** References of removed resources, in the order of the older catalog. */
  readonly removed: readonly string[]
  readonly changed: readonly ResourceDiff[]
  readonly edges: { readonly added: readonly string[]; readonly removed: readonly string[] }
}

/** The properties by which a difference identifies a catalog and its code. */
export interface CatalogLabel {
  readonly codeId: string | undefined
  readonly catalogUuid: string
}

/** A resource that is in both catalogs, with the parameters that differ. */
export interface ResourceDiff {
  readonly resource: string
  readonly parameters: readonly ParameterDiff[]
}

/**
 * A parameter with its values in both catalogs; `undefined` for a catalog without the parameter. Sensitive values are
 * redacted.
 */
export interface ParameterDiff {
  readonly name: string
  readonly from: ExactJson | undefined
  readonly to: ExactJson | undefined
}

/** A catalog prepared for comparison. */
export interface PreparedCatalog {
  readonly label: CatalogLabel
  /** Parameters in wire format, by resource reference. */
  readonly resources: ReadonlyMap<string, Parameters>
  /** Edges in text form. */
  readonly edges: ReadonlySet<string>
}

/** Compares the resources of two catalogs. The file contents in a static catalog are compared like parameters. */
export function diffCatalogs(from: Catalog, to: Catalog): CatalogDiff {
  return diffPreparedCatalogs(prepareCatalog(from), prepareCatalog(to))
}

/** Prepares a catalog for a comparison in this process. Replaces Sensitive values by digests with a secret key. */
export function prepareCatalog(catalog: Catalog): PreparedCatalog {
  const { codeId, catalogUuid } = catalog
  return { label: { codeId, catalogUuid }, resources: listResourceParameters(catalog), edges: listEdges(catalog) }
}

/** Compares two prepared catalogs. */
export function diffPreparedCatalogs(from: PreparedCatalog, to: PreparedCatalog): CatalogDiff {
  const [before, after] = [from.resources, to.resources]
  const changed = [...after].flatMap(([resource, parameters]) => {
    const old = before.get(resource)
    const differing = old ? compareParameters(old, parameters) : []
    return differing.length > 0 ? [{ resource, parameters: differing }] : []
  })
  return {
    from: from.label,
    to: to.label,
    added: [...after.keys()].filter((reference) => !before.has(reference)),
    removed: [...before.keys()].filter((reference) => !after.has(reference)),
    changed,
    edges: {
      added: [...to.edges].filter((edge) => !from.edges.has(edge)),
      removed: [...from.edges].filter((edge) => !to.edges.has(edge)),
    },
  }
}

/** Formats a difference as readable text: a sign before each resource; text values are compared line by line. */
export function formatCatalogDiff(diff: CatalogDiff): string {
  if (isEmptyDiff(diff)) return 'No differences.\n'
  const { added, removed, changed, edges } = diff
  const lines: string[] = []
  for (const reference of removed) lines.push(`- ${reference}`)
  for (const reference of added) lines.push(`+ ${reference}`)
  for (const { resource, parameters } of changed) {
    lines.push(`~ ${resource}`)
    for (const parameter of parameters) lines.push(...formatParameterLines(parameter))
  }
  for (const edge of edges.removed) lines.push(`- ${edge}`)
  for (const edge of edges.added) lines.push(`+ ${edge}`)
  return `${lines.map(toPrintableLine).join('\n')}\n${formatDiffCounts(diff)}\n`
}

/** Returns true if the difference has no added, removed or changed resources and edges. */
export function isEmptyDiff({ added, removed, changed, edges }: CatalogDiff): boolean {
  return [added, removed, changed, edges.added, edges.removed].every((each) => each.length === 0)
}

/** Returns the numbers of changes in one line; includes edges only if no resource has changed. */
export function formatDiffCounts({ added, removed, changed, edges }: CatalogDiff): string {
  const counts = `${added.length} added, ${removed.length} removed, ${changed.length} changed`
  if (added.length + removed.length + changed.length > 0) return counts
  return `${counts}, edges: ${edges.added.length} added, ${edges.removed.length} removed`
}

type Parameters = ReadonlyMap<string, ExactJson>

/** Returns the parameters of each resource in wire format, with the digests of the resource's files. */
function listResourceParameters(catalog: Catalog): ReadonlyMap<string, Parameters> {
  const wire = catalogToWire(catalog, { richData: true }).resources as readonly Record<string, ExactJson>[]
  return new Map(
    catalog.resources.map((resource, index) => {
      const { parameters = {}, sensitive_parameters: secret = [], exported } = wire[index]!
      const values = new Map(
        Object.entries(parameters as Record<string, ExactJson>).map(([name, value]) => [
          name,
          redactSecrets(value, redactValue),
        ]),
      )
      for (const name of secret as readonly string[]) values.set(name, redactValue(values.get(name)))
      if (exported === true) values.set('exported', true)
      for (const [name, digest] of listFileDigests(catalog, resource.title, resource.type)) values.set(name, digest)
      return [formatResourceReference(resource), values] as const
    }),
  )
}

/**
 * Redacts a sensitive value. The result is a short digest, so that a difference is visible. Only this process has the
 * key, so that the value cannot be guessed from the digest.
 */
function redactValue(value: ExactJson | undefined): string {
  return `[redacted ${createHmac('sha256', secretKey).update(formatExactJson(value)).digest('hex').slice(0, 8)}]`
}

const secretKey = randomBytes(32)

function listFileDigests(catalog: Catalog, title: string, type: string): (readonly [string, string])[] {
  if (type !== 'File') return []
  const file = catalog.metadata.get(title)
  const tree = [...(catalog.recursiveMetadata.get(title)?.values() ?? [])].flat()
  const below = tree
    .filter((each) => each.type !== 'directory')
    .map((each) => [`content of ${each.relativePath}`, each.destination ?? each.checksum.value] as const)
  return file && file.type !== 'directory' ? [[sourceContent, file.checksum.value], ...below] : below
}

function listEdges({ edges }: Catalog): ReadonlySet<string> {
  return new Set(edges.map(({ source, target }) => `${source} contains ${target}`))
}

function compareParameters(before: Parameters, after: Parameters): ParameterDiff[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names]
    .filter((name) => formatExactJson(before.get(name)) !== formatExactJson(after.get(name)))
    .map((name) => ({ name, from: before.get(name), to: after.get(name) }))
}

function formatParameterLines({ name, from, to }: ParameterDiff): string[] {
  if (typeof from === 'string' && typeof to === 'string' && (from.includes('\n') || to.includes('\n'))) {
    const patch = createTwoFilesPatch(name, name, from, to, '', '', { context: 2 })
    const body = patch
      .split('\n')
      .slice(4)
      .filter((line) => line !== '')
    return [`    ${name}:`, ...body.map((line) => `      ${line}`)]
  }
  return [`    ${name}: ${formatValue(from)} => ${formatValue(to)}`]
}

function formatValue(value: ExactJson | undefined): string {
  return value === undefined ? '(none)' : formatExactJson(value)
}
