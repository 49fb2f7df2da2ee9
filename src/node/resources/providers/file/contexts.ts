import { posix as paths } from 'node:path'
import type { FileStat } from '../../../../machine/system/system.ts'
import { type CatalogView, nobodys, type Services } from '../../provider.ts'
import type { FileWork } from './file-work.ts'

/** Parts of an SELinux context, as properties of a file. */
export const contextParts = ['seluser', 'selrole', 'seltype', 'selrange'] as const

/** A part of a context. */
export type ContextPart = (typeof contextParts)[number]

/** A context by its parts; a policy without ranges has none. */
export type Context = Readonly<Record<ContextPart, string | undefined>>

/** File systems that keep contexts of their files. Puppet: util/selinux.rb */
const labelled = new Set(['ext2', 'ext3', 'ext4', 'gfs', 'gfs2', 'xfs', 'jfs', 'btrfs', 'tmpfs', 'zfs'])

/** Paths that one program is asked about. */
const mostPaths = 500

/** Words of `matchpathcon` for what a file is going to be. */
const kindsToCome: Readonly<Record<string, string>> = {
  file: 'file',
  present: 'file',
  directory: 'dir',
  link: 'lnk_file',
}

const known = new WeakMap<CatalogView, Promise<Contexts | undefined>>()

/** The contexts of files of this machine; `undefined` where SELinux is off. */
export function contextsOf(services: Services): Promise<Contexts | undefined> {
  const found = known.get(services.catalog) ?? openContexts(services)
  known.set(services.catalog, found)
  return found
}

async function openContexts(services: Services): Promise<Contexts | undefined> {
  const { files, commands } = services.system
  const mounts = ((await files.readText('/proc/self/mounts')) ?? '').split('\n').map((row) => row.split(' '))
  // A container sees its host's, read-only. In libselinux that is off, too.
  const isOn = mounts.some(([, , type, flags]) => type === 'selinuxfs' && flags?.split(',').includes('rw') === true)
  if (!isOn || (await commands.find('chcon')) === undefined) return undefined
  const types = mounts.flatMap(([, place = '', type = '']) =>
    place === '' || type === 'rootfs' ? [] : [[place, type] as const],
  )
  return new Contexts(services, new Map(types))
}

/**
 * SELinux contexts by the programs that a machine with SELinux has, as Node has no function for them: `stat`,
 * `matchpathcon`, `chcon`. All files of a catalog are asked about at once; a file that changed since, by itself.
 */
export class Contexts {
  readonly #services: Services
  readonly #current = new Map<string, { readonly changed: number; readonly context: Context | undefined }>()
  readonly #usual = new Map<string, Context | undefined>()
  #all: Promise<void> | undefined
  /** Types of file systems by where they are mounted. */
  readonly #mounts: ReadonlyMap<string, string>

  constructor(services: Services, mounts: ReadonlyMap<string, string>) {
    this.#services = services
    this.#mounts = mounts
  }

  /** True of a path whose file system keeps contexts. */
  isLabelled(path: string): boolean {
    for (let at = paths.normalize(path); ; at = paths.dirname(at)) {
      const type = this.#mounts.get(at)
      if (type !== undefined) return labelled.has(type)
      if (at === '/') return false
    }
  }

  /** The context of a file that looks like this. */
  async current(path: string, stat: FileStat): Promise<Context | undefined> {
    this.#all ??= this.#askForAll()
    await this.#all
    const seen = this.#current.get(path)
    if (seen?.changed === Number(stat.changed)) return seen.context
    return (await this.#ask([path])).get(path)
  }

  /** The context that the policy has for a path. */
  async usual(path: string, ensure: string | undefined): Promise<Context | undefined> {
    this.#all ??= this.#askForAll()
    await this.#all
    if (!this.#usual.has(path)) await this.#askPolicy([path], await this.#kindOf(path, ensure))
    return this.#usual.get(path)
  }

  /** Sets a part of a context; what goes wrong is a warning. */
  async set({ system, resource, logAs }: FileWork, part: ContextPart, value: string): Promise<void> {
    const flag = { seluser: '-u', selrole: '-r', seltype: '-t', selrange: '-l' }[part]
    const path = resource.name
    const before = (await this.#ask([path])).get(path)
    if (!before) {
      const message = "Can't set SELinux context on file unless the file already has some kind of context"
      logAs('Puppet', 'warning', message)
      return
    }
    const { status } = await system.commands.run(['chcon', '-h', flag, value, '--', path], { env: nobodys })
    const wanted = contextParts
      .map((name) => (name === part ? value : before[name]))
      .filter((each) => each !== undefined)
    if (status !== 0) logAs('Puppet', 'warning', `Failed to set SELinux context ${wanted.join(':')} on ${path}`)
  }

  /** Asks about all files of the catalog, before the first has its turn. */
  async #askForAll(): Promise<void> {
    const { system, catalog } = this.#services
    const byKind = new Map<string | undefined, string[]>()
    const there = new Map<string, FileStat>()
    for (const resource of catalog.ofType('file')) {
      const { name } = resource
      const stat = await system.files.stat(name).catch(() => undefined)
      if (stat) there.set(name, stat)
      const kind = stat ? undefined : kindsToCome[String(resource.value('ensure'))]
      byKind.set(kind, [...(byKind.get(kind) ?? []), name])
    }
    const contexts = await this.#ask([...there.keys()])
    for (const [path, { changed }] of there)
      this.#current.set(path, { changed: Number(changed), context: contexts.get(path) })
    for (const [kind, names] of byKind) await this.#askPolicy(names, kind)
  }

  async #kindOf(path: string, ensure: string | undefined): Promise<string | undefined> {
    const stat = await this.#services.system.files.stat(path).catch(() => undefined)
    return stat ? undefined : kindsToCome[String(ensure)]
  }

  /** Contexts that files have now. */
  async #ask(all: readonly string[]): Promise<ReadonlyMap<string, Context | undefined>> {
    const found = new Map<string, Context | undefined>()
    for (const some of slices(all)) {
      const printed = await this.#printed(['stat', '-c', '%C %n', '--', ...some])
      for (const row of printed) {
        const space = row.indexOf(' ')
        if (space !== -1) found.set(row.slice(space + 1), contextOf(row.slice(0, space)))
      }
    }
    return found
  }

  async #askPolicy(all: readonly string[], kind: string | undefined): Promise<void> {
    for (const some of slices(all)) {
      for (const path of some) this.#usual.set(path, undefined)
      const printed = await this.#printed(['matchpathcon', ...(kind === undefined ? [] : ['-m', kind]), ...some])
      for (const row of printed) {
        const tab = row.lastIndexOf('\t')
        if (tab !== -1) this.#usual.set(row.slice(0, tab), contextOf(row.slice(tab + 1)))
      }
    }
  }

  async #printed(command: readonly string[]): Promise<readonly string[]> {
    const { commands } = this.#services.system
    // The policy's own tool may be missing; then nothing is usual.
    if ((await commands.find(command[0] ?? '')) === undefined) return []
    const { stdout } = await commands.run(command, { env: { ...nobodys, LC_ALL: 'C', LANG: 'C' } })
    return stdout.split('\n')
  }
}

/** A line of a program's answer is one path. */
function slices(all: readonly string[]): readonly (readonly string[])[] {
  const sayable = all.filter((path) => !path.includes('\n'))
  return Array.from({ length: Math.ceil(sayable.length / mostPaths) }, (_, index) =>
    sayable.slice(index * mostPaths, (index + 1) * mostPaths),
  )
}

function contextOf(text: string): Context | undefined {
  const [, seluser, selrole, seltype, selrange] = /^([^\s:]+):([^\s:]+):([^\s:]+)(?::([\w\s:,.-]+))?$/.exec(text) ?? []
  return seluser === undefined ? undefined : { seluser, selrole, seltype, selrange }
}
