import { createHmac, randomBytes } from 'node:crypto'
import { createTwoFilesPatch } from 'diff'
import type { ExactJson } from '../base/json/exact-json.ts'
import { printJson } from '../base/json/json-text.ts'
import { printableWithTabs } from '../base/text/printable.ts'
import { type Catalog, referenceOf } from './catalog.ts'
import { catalogToWire } from './catalog-wire.ts'
import { sourceContent } from './sourced-files.ts'
import { withoutSecrets } from './without-secrets.ts'

/** The difference between two catalogs of a node. */
export interface CatalogDiff {
  readonly from: CatalogLabel
  readonly to: CatalogLabel
  /** References, in the order of the newer catalog. */
  readonly added: readonly string[]
  /** References, in the order of the older catalog. */
  readonly removed: readonly string[]
  readonly changed: readonly ChangedResource[]
  readonly edges: { readonly added: readonly string[]; readonly removed: readonly string[] }
}

/** Which code a catalog is of. */
export interface CatalogLabel {
  readonly codeId: string | undefined
  readonly catalogUuid: string
}

/** A resource that both catalogs have, and what differs in it. */
export interface ChangedResource {
  readonly resource: string
  readonly parameters: readonly ChangedParameter[]
}

/** A parameter with its two values; `undefined` in the catalog that lacks the parameter. Secrets are not shown. */
export interface ChangedParameter {
  readonly name: string
  readonly from: ExactJson | undefined
  readonly to: ExactJson | undefined
}

/** A catalog as it is compared. */
export interface CatalogSide {
  readonly label: CatalogLabel
  /** Parameters on the wire, by the references of resources. */
  readonly resources: ReadonlyMap<string, Parameters>
  /** Edges in words. */
  readonly edges: ReadonlySet<string>
}

/** Compares catalogs resource by resource; the content of files that a static catalog names counts as a parameter. */
export function diffCatalogs(from: Catalog, to: Catalog): CatalogDiff {
  return diffSides(sideOf(from), sideOf(to))
}

/** A catalog as it is compared with others of this process: secrets are digests that nobody else can make. */
export function sideOf(catalog: Catalog): CatalogSide {
  const { codeId, catalogUuid } = catalog
  return { label: { codeId, catalogUuid }, resources: resourcesOf(catalog), edges: edgesOf(catalog) }
}

/** Compares what two catalogs have. */
export function diffSides(from: CatalogSide, to: CatalogSide): CatalogDiff {
  const [before, after] = [from.resources, to.resources]
  const changed = [...after].flatMap(([resource, parameters]) => {
    const old = before.get(resource)
    const differing = old ? changesOf(old, parameters) : []
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

/** For people: a sign before each resource, and texts line by line. */
export function printDiff(diff: CatalogDiff): string {
  if (isEmpty(diff)) return 'No differences.\n'
  const { added, removed, changed, edges } = diff
  const lines: string[] = []
  for (const reference of removed) lines.push(`- ${reference}`)
  for (const reference of added) lines.push(`+ ${reference}`)
  for (const { resource, parameters } of changed) {
    lines.push(`~ ${resource}`)
    for (const parameter of parameters) lines.push(...linesOf(parameter))
  }
  for (const edge of edges.removed) lines.push(`- ${edge}`)
  for (const edge of edges.added) lines.push(`+ ${edge}`)
  return `${lines.map(printableWithTabs).join('\n')}\n${countsOf(diff)}\n`
}

/** True for a difference without additions, removals or changes. */
export function isEmpty({ added, removed, changed, edges }: CatalogDiff): boolean {
  return [added, removed, changed, edges.added, edges.removed].every((each) => each.length === 0)
}

/** Counts of the changes, in one line; edges are counted where nothing else tells of them. */
export function countsOf({ added, removed, changed, edges }: CatalogDiff): string {
  const counts = `${added.length} added, ${removed.length} removed, ${changed.length} changed`
  if (added.length + removed.length + changed.length > 0) return counts
  return `${counts}, edges: ${edges.added.length} added, ${edges.removed.length} removed`
}

type Parameters = ReadonlyMap<string, ExactJson>

/** Parameters on the wire by resource, with the digests of the resource's files. */
function resourcesOf(catalog: Catalog): ReadonlyMap<string, Parameters> {
  const wire = catalogToWire(catalog, { richData: true }).resources as readonly Record<string, ExactJson>[]
  return new Map(
    catalog.resources.map((resource, index) => {
      const { parameters = {}, sensitive_parameters: secret = [], exported } = wire[index]!
      const values = new Map(
        Object.entries(parameters as Record<string, ExactJson>).map(([name, value]) => [
          name,
          withoutSecrets(value, digestOf),
        ]),
      )
      for (const name of secret as readonly string[]) values.set(name, digestOf(values.get(name)))
      if (exported === true) values.set('exported', true)
      for (const [name, digest] of digestsOf(catalog, resource.title, resource.type)) values.set(name, digest)
      return [referenceOf(resource), values] as const
    }),
  )
}

/** Secrets that differ are to be seen as differing, and no more. The key is of this process, so nothing can be guessed. */
function digestOf(value: ExactJson | undefined): string {
  return `[redacted ${createHmac('sha256', secretKey).update(printJson(value)).digest('hex').slice(0, 8)}]`
}

const secretKey = randomBytes(32)

function digestsOf(catalog: Catalog, title: string, type: string): (readonly [string, string])[] {
  if (type !== 'File') return []
  const file = catalog.metadata.get(title)
  const tree = [...(catalog.recursiveMetadata.get(title)?.values() ?? [])].flat()
  const below = tree
    .filter((each) => each.type !== 'directory')
    .map((each) => [`content of ${each.relativePath}`, each.destination ?? each.checksum.value] as const)
  return file && file.type !== 'directory' ? [[sourceContent, file.checksum.value], ...below] : below
}

function edgesOf({ edges }: Catalog): ReadonlySet<string> {
  return new Set(edges.map(({ source, target }) => `${source} contains ${target}`))
}

function changesOf(before: Parameters, after: Parameters): ChangedParameter[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names]
    .filter((name) => printJson(before.get(name)) !== printJson(after.get(name)))
    .map((name) => ({ name, from: before.get(name), to: after.get(name) }))
}

function linesOf({ name, from, to }: ChangedParameter): string[] {
  if (typeof from === 'string' && typeof to === 'string' && (from.includes('\n') || to.includes('\n'))) {
    const patch = createTwoFilesPatch(name, name, from, to, '', '', { context: 2 })
    const body = patch
      .split('\n')
      .slice(4)
      .filter((line) => line !== '')
    return [`    ${name}:`, ...body.map((line) => `      ${line}`)]
  }
  return [`    ${name}: ${shown(from)} => ${shown(to)}`]
}

function shown(value: ExactJson | undefined): string {
  return value === undefined ? '(none)' : printJson(value)
}
