import { defineIssues } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { truncateForDisplay as show } from '../../machine/archive/issues.ts'

/** Errors of installing and removing gems. Messages that RubyGems has are worded as there. */
export const gemIssues = defineIssues({
  GEM_NOT_FOUND: {
    text: (a: { name: string; requirement: string; sources: readonly string[]; known: readonly string[] }) =>
      `Could not find a valid gem '${show(a.name)}' (${show(a.requirement)}) in any repository`,
    hint: (a) =>
      a.known.length > 0
        ? `Available versions: ${a.known.slice(0, 8).join(', ')}${a.known.length > 8 ? ', …' : ''}.`
        : `Check the name. Searched gem servers: ${a.sources.map(show).join(', ')}.`,
  },
  GEM_RUBY_VERSION: {
    text: (a: { fullName: string; wanted: string; ruby: string }) =>
      `${show(a.fullName)} requires Ruby version ${show(a.wanted)}. The current ruby version is ${a.ruby}.`,
    hint: () => 'Install an older version of the gem.',
  },
  GEM_RUBYGEMS_VERSION: {
    text: (a: { fullName: string; wanted: string; rubygems: string }) =>
      `${show(a.fullName)} requires RubyGems version ${show(a.wanted)}. The current RubyGems version is ${a.rubygems}.`,
    hint: () => 'Install an older version of the gem.',
  },
  GEM_UNRESOLVED: {
    text: (a: { requester: string; name: string; requirement: string }) =>
      `Unable to resolve dependency: '${show(a.requester)}' requires '${show(a.name)} (${show(a.requirement)})'`,
  },
  GEM_TOO_COMPLEX: {
    text: (a: { name: string; steps: number }) =>
      `The dependencies of ${show(a.name)} were not satisfied after ${a.steps} attempts`,
    hint: () => 'Install a certain version of the gem, or its dependencies first.',
  },
  GEM_EXTENSION: {
    text: (a: { fullName: string }) =>
      `${show(a.fullName)} has a C extension, which the built-in Ruby cannot load; the gem is not installed`,
    hint: () => 'Use a gem in pure Ruby, or run a Ruby program of this machine in which the gem is installed.',
  },
  GEM_PLATFORM: {
    text: (a: { fullName: string; platform: string }) =>
      `${show(a.fullName)} is built for the platform ${show(a.platform)}, and the built-in Ruby loads only gems in pure Ruby`,
    hint: () => 'Use a gem of the platform ruby without C extensions.',
  },
  GEM_CHECKSUM: {
    text: (a: { file: string; expected: string; actual: string }) =>
      `${show(a.file)} has the SHA-256 ${a.actual} instead of ${show(a.expected)}`,
    hint: () => 'The file was modified at its source or in transit, and was discarded.',
  },
  GEM_INVALID: {
    text: (a: { file: string; why: string }) => `${show(a.file)} is not a valid gem: ${show(a.why)}`,
    hint: () => 'Build the gem with `gem build`, or download it again.',
  },
  GEM_INDEX_INVALID: {
    text: (a: { url: string; why: string }) => `${show(a.url)} returned an invalid list of versions: ${show(a.why)}`,
    hint: () => 'Use a gem server that offers the compact index, as rubygems.org does.',
  },
  GEM_TOO_LARGE: {
    text: (a: { what: string; bytes: number }) => `${show(a.what)} has more than ${a.bytes} bytes`,
  },
  GEM_NAME: {
    text: (a: { name: string }) => `Invalid gem name '${show(a.name)}'`,
    hint: () => 'Names of gems have letters, digits, `.`, `_` and `-`.',
  },
  GEM_REQUIREMENT: {
    text: (a: { text: string }) => `Illformed requirement ["${show(a.text)}"]`,
    hint: () => 'Give a version, or bounds such as `~> 1.2` and `>= 1.0, < 2.0`.',
  },
  GEM_SOURCE: {
    text: (a: { url: string }) => `Invalid gem server '${show(a.url)}'`,
    hint: () => 'Give a URL that begins with https:// or http://.',
  },
  GEM_OPTION: {
    text: (a: { option: string; known: readonly string[] }) => `invalid option: ${show(a.option)}`,
    hint: (a) => formatSuggestion(a.option, a.known) ?? `Supported options: ${a.known.join(', ')}.`,
  },
  GEM_NOT_INSTALLED: {
    text: (a: { name: string; version: string | undefined; known: readonly string[] }) =>
      a.version === undefined
        ? `gem '${show(a.name)}' is not installed`
        : `gem '${show(a.name)}' (${show(a.version)}) is not installed`,
    hint: (a) => formatSuggestion(a.name, a.known),
  },
  GEM_SEVERAL: {
    text: (a: { name: string; versions: readonly string[] }) =>
      `Several versions of ${show(a.name)} are installed: ${a.versions.join(', ')}`,
    hint: () => 'Give --version VERSION or --all.',
  },
  GEM_NEEDED: {
    text: (a: { fullName: string; dependents: readonly string[] }) =>
      `${show(a.fullName)} is required by ${a.dependents.map(show).join(', ')}`,
    hint: () => 'Uninstall these gems first, or give --ignore-dependencies.',
  },
  GEM_REMOVED: {
    text: (a: { fullName: string }) => `${show(a.fullName)} was uninstalled during the installation, which requires it`,
    hint: () => 'Run the installation again.',
  },
  GEM_TOO_MANY: {
    text: (a: { folder: string; most: number }) => `${show(a.folder)} has more than ${a.most} gems`,
  },
})
