import { budgets } from '../../base/budgets/budgets.ts'
import { anyVersion, type GemDependency, isGemName, normalizeRequirement } from './gem-requirement.ts'
import { parseGemVersion } from './gem-version.ts'

/** A version of a gem on a gem server. */
export interface GemRelease {
  readonly name: string
  readonly version: string
  /** Platform; `ruby` for a gem that is not built for a certain platform. */
  readonly platform: string
  readonly dependencies: readonly GemDependency[]
  /** Accepted versions of Ruby. */
  readonly ruby: readonly string[]
  readonly rubygems: readonly string[]
  /** SHA-256 of the gem's file in hexadecimal. */
  readonly sha256: string
}

/**
 * Parses the answer to `/info/NAME` of the compact index, oldest version first: a line `VERSION[-PLATFORM] DEPENDENCIES|
 * checksum:SHA256,ruby:REQUIREMENT,rubygems:REQUIREMENT`. Returns the reason if the text is invalid. RubyGems:
 * Gem::Resolver::APISet::GemParser, and the gem compact_index.
 */
export function parseReleases(name: string, text: string): readonly GemRelease[] | { readonly why: string } {
  const releases: GemRelease[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line === '---' || /^[a-z_]+: /.test(line)) continue
    const release = parseRelease(name, line)
    if (release === undefined) return { why: `the line '${line.slice(0, 80)}'` }
    releases.push(release)
    if (releases.length > budgets.gem.releases.bound) return { why: `more than ${budgets.gem.releases.bound} versions` }
  }
  return releases
}

/** The name of a gem's file and directory: `rack-3.0.0`, with the platform unless it is `ruby`. */
export function formatFullName({ name, version, platform }: Pick<GemRelease, 'name' | 'version' | 'platform'>): string {
  return platform === 'ruby' ? `${name}-${version}` : `${name}-${version}-${platform}`
}

function parseRelease(name: string, line: string): GemRelease | undefined {
  const [head = '', rest = ''] = splitOnce(line, '|')
  const [full = '', dependencyText = ''] = splitOnce(head.trimEnd(), ' ')
  const [version = '', platform = 'ruby'] = splitOnce(full, '-')
  const dependencies = parseDependencies(dependencyText)
  const properties = new Map(rest.split(',').map((part) => splitOnce(part, ':') as [string, string]))
  const [ruby, rubygems] = ['ruby', 'rubygems'].map((key) => parseBounds(properties.get(key)))
  const sha256 = properties.get('checksum') ?? ''
  if (!parseGemVersion(version) || version === '' || !dependencies || !ruby || !rubygems) return undefined
  if (!/^[0-9a-f]{64}$/.test(sha256) || !/^[A-Za-z0-9._-]+$/.test(platform)) return undefined
  return { name, version, platform, dependencies, ruby, rubygems, sha256 }
}

function parseDependencies(text: string): readonly GemDependency[] | undefined {
  const found = text
    .split(',')
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', bounds] = splitOnce(each, ':')
      const requirements = parseBounds(bounds)
      return isGemName(name) && requirements ? { name, requirements } : undefined
    })
  return found.every((each) => each !== undefined) ? found : undefined
}

/** Parses `>= 1.0&< 2`; any version if undefined. */
function parseBounds(text: string | undefined): readonly string[] | undefined {
  if (text === undefined || text === '') return anyVersion
  const bounds = text.split('&').map(normalizeRequirement)
  return bounds.every((each) => each !== undefined) ? bounds : undefined
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)]
}
