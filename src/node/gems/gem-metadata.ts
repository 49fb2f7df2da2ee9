import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { YamlNode } from '../../language/ruby-semantics/yaml/node.ts'
import { parseYamlDocument } from '../../language/ruby-semantics/yaml/parse-yaml.ts'
import { anyVersion, type GemDependency, isGemName, normalizeRequirement } from './gem-requirement.ts'
import { parseGemVersion } from './gem-version.ts'
import { gemIssues as issues } from './issues.ts'

/** The description of a gem: `Gem::Specification`. */
export interface GemSpecification {
  readonly name: string
  readonly version: string
  readonly platform: string
  /** Dependencies for use and for development, in the order of the gem. */
  readonly dependencies: readonly (GemDependency & { readonly type: 'runtime' | 'development' })[]
  readonly requiredRubyVersion: readonly string[]
  readonly requiredRubygemsVersion: readonly string[]
  readonly requirePaths: readonly string[]
  readonly extensions: readonly string[]
  readonly executables: readonly string[]
  readonly bindir: string
  /** Date of the build: `2020-01-02`. */
  readonly date: string | undefined
  /** Texts of other attributes by name; a list for attributes that are lists. */
  readonly attributes: ReadonlyMap<string, string | readonly string[]>
  readonly metadata: ReadonlyMap<string, string>
}

/** Attributes that a gemspec contains as they are. */
const plainAttributes = [
  ...['authors', 'autorequire', 'cert_chain', 'description', 'email', 'extra_rdoc_files', 'homepage', 'licenses'],
  ...['post_install_message', 'rdoc_options', 'requirements', 'rubygems_version', 'summary'],
]

/**
 * Reads the metadata of a gem: YAML with tags of Ruby classes, of which only the data is used. Returns the reason if it is
 * invalid. Throws YamlError, GEM_TOO_LARGE.
 */
export function readGemMetadata(text: string): GemSpecification | { readonly why: string } {
  const document = parseYamlDocument(text)
  if (document === undefined) return { why: 'the metadata is empty' }
  const reader = new MetadataReader(document)
  const name = reader.text('name') ?? ''
  const version = reader.version(reader.get('version')) ?? ''
  const platform = reader.text('platform') ?? 'ruby'
  if (!isGemName(name)) return { why: `the name '${name}'` }
  if (!isVersion(version)) return { why: `the version '${version}'` }
  const dependencies = reader.items('dependencies').map((each) => reader.dependency(each))
  const requiredRubyVersion = reader.requirements(reader.get('required_ruby_version'))
  const requiredRubygemsVersion = reader.requirements(reader.get('required_rubygems_version'))
  if (!dependencies.every((each) => each !== undefined)) return { why: 'a dependency is malformed' }
  if (!requiredRubyVersion || !requiredRubygemsVersion) return { why: 'a required version is malformed' }
  const requirePaths = reader.list('require_paths')
  return {
    ...{ name, version, platform, dependencies, requiredRubyVersion, requiredRubygemsVersion },
    requirePaths: requirePaths.length > 0 ? requirePaths : ['lib'],
    extensions: reader.list('extensions'),
    executables: reader.list('executables'),
    bindir: reader.text('bindir') ?? 'bin',
    date: /^\d{4}-\d\d-\d\d/.exec(reader.text('date') ?? '')?.[0],
    attributes: new Map(
      plainAttributes.flatMap((key) => {
        const value = reader.textOrList(key)
        return value === undefined || value.length === 0 ? [] : [[key, value] as const]
      }),
    ),
    metadata: reader.texts('metadata'),
  }
}

function isVersion(text: string): boolean {
  return /^[0-9A-Za-z.]+$/.test(text) && parseGemVersion(text) !== undefined
}

/**
 * Reads values of the document, and follows aliases. A small document can repeat a large part many times by aliases;
 * therefore, the characters that are read are limited.
 */
class MetadataReader {
  #left: number = budgets.gem.metadata.bound
  readonly #anchors = new Map<string, YamlNode>()
  readonly #root: YamlNode

  constructor(root: YamlNode) {
    this.#root = root
    this.#collectAnchors(root)
  }

  get(key: string): YamlNode | undefined {
    return this.#member(this.#root, key)
  }

  text(key: string): string | undefined {
    return this.#scalar(this.get(key))
  }

  items(key: string): readonly YamlNode[] {
    const node = this.#follow(this.get(key))
    return node?.kind === 'sequence' ? node.items : []
  }

  list(key: string): readonly string[] {
    return this.items(key).flatMap((each) => this.#scalar(each) ?? [])
  }

  textOrList(key: string): string | readonly string[] | undefined {
    return this.#follow(this.get(key))?.kind === 'sequence' ? this.list(key) : this.text(key)
  }

  texts(key: string): ReadonlyMap<string, string> {
    const node = this.#follow(this.get(key))
    const pairs = node?.kind === 'mapping' ? node.pairs : []
    return new Map(
      pairs.flatMap(([name, value]) => {
        const [nameText, valueText] = [this.#scalar(name), this.#scalar(value)]
        return nameText === undefined || valueText === undefined ? [] : [[nameText, valueText] as const]
      }),
    )
  }

  /** The text of a `Gem::Version`. */
  version(given: YamlNode | undefined): string | undefined {
    return this.#scalar(this.#follow(given)?.kind === 'mapping' ? this.#member(given, 'version') : given)
  }

  /** The bounds of a `Gem::Requirement`: pairs of an operator and a version. */
  requirements(given: YamlNode | undefined): readonly string[] | undefined {
    if (this.#follow(given)?.kind !== 'mapping') return anyVersion
    const list = this.#follow(this.#member(given, 'requirements'))
    if (list?.kind !== 'sequence') return undefined
    const bounds = list.items.map((item) => {
      const pair = this.#follow(item)
      if (pair?.kind !== 'sequence') return undefined
      return normalizeRequirement(`${this.#scalar(pair.items[0])} ${this.version(pair.items[1])}`)
    })
    return bounds.every((each) => each !== undefined) ? bounds : undefined
  }

  dependency(given: YamlNode) {
    const name = this.#scalar(this.#member(given, 'name')) ?? ''
    const requirements = this.requirements(
      this.#member(given, 'requirement') ?? this.#member(given, 'version_requirements'),
    )
    const type = this.#scalar(this.#member(given, 'type')) === ':development' ? 'development' : 'runtime'
    return isGemName(name) && requirements ? ({ name, requirements, type } as const) : undefined
  }

  #member(given: YamlNode | undefined, key: string): YamlNode | undefined {
    const node = this.#follow(given)
    return node?.kind === 'mapping' ? node.pairs.find(([name]) => this.#scalar(name) === key)?.[1] : undefined
  }

  #scalar(given: YamlNode | undefined): string | undefined {
    const node = this.#follow(given)
    if (node?.kind !== 'scalar') return undefined
    this.#spend(node.value.length)
    if (/(?:^!|:)binary$/.test(node.tag ?? '')) return Buffer.from(node.value, 'base64').toString('utf8')
    return !node.quoted && /^(?:~|null|)$/i.test(node.value) ? undefined : node.value
  }

  #follow(node: YamlNode | undefined): YamlNode | undefined {
    this.#spend(1)
    return node?.kind === 'alias' ? this.#anchors.get(node.name) : node
  }

  /** Throws GEM_TOO_LARGE after more characters than metadata can have. */
  #spend(characters: number): void {
    this.#left -= characters
    if (this.#left < 0)
      throwIssue(issues.GEM_TOO_LARGE, { what: 'the metadata with its aliases', bytes: budgets.gem.metadata.bound })
  }

  #collectAnchors(node: YamlNode): void {
    if (node.kind === 'alias') return
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node)
    if (node.kind === 'sequence') for (const each of node.items) this.#collectAnchors(each)
    if (node.kind === 'mapping') for (const each of node.pairs.flat()) this.#collectAnchors(each)
  }
}
