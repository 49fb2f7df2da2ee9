import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Cloud } from './cloud.ts'
import { runHere } from './run-here.ts'

/** A lookup of a key at a level of hiera.yaml, above a level `common.yaml`. */
export interface CloudLookup {
  readonly key: string
  readonly level: object
  readonly more?: readonly string[]
  /** Manifest to compile instead of a lookup. */
  readonly site?: string
  /** Further files of the environment. */
  readonly files?: Readonly<Record<string, string>>
}

/** Runs lookups with the servers of a cloud, and of real Puppet with modules in `$CLOUD_MODULES`. */
export class CloudLookups {
  readonly #folder: string
  readonly #cloud: Cloud
  readonly #settings: readonly string[]
  #count = 0

  constructor(folder: string, cloud: Cloud, settings: readonly string[]) {
    this.#folder = folder
    this.#cloud = cloud
    this.#settings = [
      ...settings,
      ...['--external_secret_endpoints', cloud.endpoints.join(','), '--external_http_ca_file', join(folder, 'ca.pem')],
      ...['--eyaml_keydirs', folder],
    ]
    writeFileSync(join(folder, 'facts.json'), '{"os":{"family":"Debian"}}')
  }

  /** The answer of the product. */
  async own(asked: CloudLookup, settings: readonly string[] = []) {
    const node = asked.site === undefined ? [] : ['--node', 'web1', '--facts', join(this.#folder, 'facts.json')]
    const { status, out, err } = await runHere([...this.#words(asked), ...node, ...this.#settings, ...settings])
    return this.#generalize(status, out, err, asked)
  }

  /** The answer of real Puppet, whose requests `cloud-ruby` sends to the servers. */
  real(asked: CloudLookup): object {
    const ruby = resolve(import.meta.dirname, 'cloud-ruby')
    const env = {
      ...process.env,
      ...{ CLOUD_URL: this.#cloud.plainUrl, RUBYLIB: ruby, RUBYOPT: `-r${join(ruby, 'azure-redirect.rb')}` },
    }
    const node = asked.site === undefined ? [] : ['web1']
    const words = [...this.#words(asked), ...node, '--basemodulepath', process.env['CLOUD_MODULES'] ?? '']
    const { status, stdout, stderr } = spawnSync('puppet', words, { encoding: 'utf8', env })
    const { error, ...answer } = this.#generalize(status, stdout, stderr, asked)
    // The command does not print a LookupError; a compilation does.
    return error === '' && status !== 0 ? answer : { ...answer, error }
  }

  #words({ key, level, more = [], site, files: others = {} }: CloudLookup): readonly string[] {
    const name = `e${++this.#count}`
    const hiera = {
      version: 5,
      hierarchy: [
        { name: 'Cloud', ...level },
        { name: 'Common', path: 'common.yaml' },
      ],
    }
    const files = {
      ...others,
      'hiera.yaml': JSON.stringify(hiera),
      'data/common.yaml': 'missing: from YAML\ndenied: from YAML\nunder_score: from YAML\n',
      ...(site !== undefined && { 'manifests/site.pp': site }),
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(this.#folder, name, path, '..'), { recursive: true })
      writeFileSync(join(this.#folder, name, path), text)
    }
    const node = ['--environmentpath', this.#folder, '--environment', name]
    const facts = join(this.#folder, 'facts.json')
    if (site !== undefined) return ['catalog', 'compile', ...node]
    return ['lookup', key, ...node, '--node', 'web1', '--facts', facts, '--render-as', 'json', ...more]
  }

  /** What a command printed, without paths, ports and colors; of an explanation or a catalog, only some texts. */
  #generalize(status: number | null, out: string, err: string, { site }: CloudLookup) {
    const plain = (text: string) =>
      text
        .replaceAll(/localhost:\d+/g, 'HOST')
        .replaceAll(this.#folder, 'FOLDER')
        .replaceAll(/FOLDER\/e\d+/g, 'ENVIRONMENT')
        .replace(/\x1b\[[0-9;]*m/g, '')
        .trim()
    const lines = plain(err).split('\n')
    const error =
      lines.find((line) => line.startsWith('Error: ') && !line.includes('Facter'))?.replace('Could not run: ', '') ?? ''
    const warning = lines.find((line) => line.startsWith('Warning: ') && line.includes('{')) ?? ''
    // A lookup of the product prints no warnings; a compilation does.
    return { status, ...this.#selectTexts(plain(out)), error, ...(site !== undefined && { warning }) }
  }

  #selectTexts(out: string): object {
    const [, message] = /"message": ?"([^"]*)"/.exec(out) ?? []
    if (message !== undefined) return { message }
    if (out.includes('"branches"')) return { texts: listTexts(JSON.parse(out)) }
    return { out }
  }
}

/** The texts of all steps of an explanation. */
function listTexts(step: { texts?: string[]; branches?: [] }): readonly string[] {
  return [...(step.texts ?? []), ...(step.branches ?? []).flatMap(listTexts)]
}
