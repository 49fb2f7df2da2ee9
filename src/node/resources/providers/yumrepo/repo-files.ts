import { posix } from 'node:path'
import { parseIniLines } from '../../../../base/text/ini.ts'
import type { Files } from '../../../../machine/system/system.ts'
import { failWithMessage } from '../../issues.ts'

/** A section of a file, with its comments and settings. */
export class RepoSection {
  readonly name: string
  readonly file: string
  readonly entries: (string | [key: string, value: string | undefined])[] = []
  isChanged = false
  isGone = false

  constructor(name: string, file: string) {
    this.name = name
    this.file = file
  }

  get(key: string): string | undefined {
    return this.#entry(key)?.[1]
  }

  /** Sets a setting in its existing position, or at the end. An undefined value removes it. */
  set(key: string, value: string | undefined): void {
    this.isChanged = true
    const entry = this.#entry(key)
    if (entry) entry[1] = value
    else this.entries.push([key, value])
  }

  toString(): string {
    if (this.isGone) return ''
    const lines = this.entries.map((entry) => {
      if (typeof entry === 'string') return entry
      return entry[1] === undefined ? '' : `${entry[0]}=${entry[1]}\n`
    })
    return `[${this.name}]\n${lines.join('')}`
  }

  #entry(key: string): [string, string | undefined] | undefined {
    return this.entries.find((entry): entry is [string, string | undefined] => entry[0] === key && Array.isArray(entry))
  }
}

type Content = (string | RepoSection)[]

const mainFile = '/etc/yum.conf'
const usualFolders = ['/etc/yum.repos.d', '/etc/yum/repos.d']
const fileMode = 0o644

/** yum's configuration files: yum.conf, and the files in the repository folders. */
export class RepoFiles {
  readonly #files: Files
  readonly #contents = new Map<string, Content>()
  #folders: readonly string[] = []

  constructor(files: Files) {
    this.#files = files
  }

  async read(): Promise<void> {
    if (await this.#exists(mainFile)) await this.load(mainFile)
    const main = this.#listSections(mainFile).find(({ name }) => name === 'main')
    const given = main?.get('reposdir')?.replaceAll(/[\n,]/g, ' ').split(/\s+/)
    const folders: string[] = []
    for (const folder of given?.filter((each) => each !== '') ?? usualFolders)
      if (await this.#exists(folder)) folders.push(folder)
    this.#folders = folders
    for (const folder of folders)
      for (const name of [...((await this.#files.list(folder)) ?? [])].sort())
        if (name.endsWith('.repo') && !name.startsWith('.')) await this.load(posix.join(folder, name))
  }

  /** Reads a file that has not been read yet. */
  async load(path: string): Promise<void> {
    if (this.#contents.has(path)) return
    const text = await this.#files.readText(path)
    if (text !== undefined) this.#contents.set(path, parse(text, path))
  }

  /** All repositories in file order. */
  sections(): readonly RepoSection[] {
    return [...this.#contents.keys()].flatMap((path) => this.#listSections(path).filter(({ name }) => name !== 'main'))
  }

  /** The file of a repository, by its name and the desired target, if any. */
  selectPath(name: string, target: string | undefined): string {
    const last = this.#folders.at(-1)
    if (last === undefined) return mainFile
    if (target === undefined) return posix.join(last, `${name}.repo`)
    const file = target.endsWith('.repo') ? target : `${target}.repo`
    if (this.#folders.includes(posix.dirname(target))) return file
    return posix.join(last, posix.basename(file))
  }

  /** The section of a repository in the file `path`. A section in another file is moved there. */
  place(name: string, path: string): RepoSection {
    const named = this.sections().filter((section) => section.name === name && !section.isGone)
    const there = named.find((section) => section.file === path)
    const others = named.filter((section) => section !== there)
    for (const section of others) section.isGone = true
    if (there) return there
    const made = new RepoSection(name, path)
    made.isChanged = true
    made.entries.push(...(others.at(-1)?.entries ?? []))
    const content = this.#contents.get(path) ?? []
    content.push(made)
    this.#contents.set(path, content)
    return made
  }

  /** Writes changed files; removes files without content. */
  async store(info: (message: string) => void): Promise<void> {
    for (const [path, content] of [...this.#contents]) {
      const sections = this.#listSections(path)
      if (sections.every(({ isGone }) => isGone)) {
        this.#contents.delete(path)
        if (await this.#exists(path)) await this.#files.remove(path)
        continue
      }
      if (sections.some(({ isChanged, isGone }) => isChanged || isGone)) {
        const mode = (await this.#files.stat(path))?.mode ?? fileMode
        await this.#files.write(path, content.join(''), mode)
        this.#contents.set(
          path,
          content.filter((each) => typeof each === 'string' || !each.isGone),
        )
      }
      for (const section of sections) section.isChanged = false
    }
    for (const path of this.#contents.keys()) await this.#correctMode(path, info)
  }

  async #correctMode(path: string, info: (message: string) => void): Promise<void> {
    const stat = await this.#files.stat(path)
    const mode = (stat?.mode ?? fileMode) & 0o777
    if (mode === fileMode) return
    const formatOctal = (each: number) => each.toString(8).padStart(3, '0')
    info(`changing mode of ${path} from ${formatOctal(mode)} to ${formatOctal(fileMode)}`)
    await this.#files.chmod(path, fileMode)
  }

  #listSections(path: string): readonly RepoSection[] {
    return (this.#contents.get(path) ?? []).filter((each): each is RepoSection => each instanceof RepoSection)
  }

  async #exists(path: string): Promise<boolean> {
    return (await this.#files.stat(path)) !== undefined
  }
}

// Puppet: util/inifile.rb
const syntax = {
  blank: /^(?:\s*$|[#;]|\s*rem\s)/i,
  header: /^\[(?<section>[^\]]+)\]/,
  setting: /^\s*(?<name>[^\s=]+)\s*=(?<value>.*)$/s,
}

function parse(file: string, path: string): Content {
  const content: Content = []
  let section: RepoSection | undefined
  let last: string | undefined
  for (const line of parseIniLines(file, syntax)) {
    const { text, start, number } = line
    if (line.kind === 'blank') (section?.entries ?? content).push(file.slice(start, start + text.length + 1))
    else if (/^[ \t\r\f]/.test(text) && section && last !== undefined)
      section.set(last, `${section.get(last)}\n${text}`)
    else if (line.kind === 'header') {
      if (content.some((each) => each instanceof RepoSection && each.name === line.section))
        failWithMessage(`Section "${line.section}" is already defined, cannot redefine (file: ${path})`)
      section = new RepoSection(line.section, path)
      content.push(section)
      last = undefined
    } else if (line.kind === 'setting') {
      if (!section) return failWithMessage(`Property with key "${line.name}" outside of a section`)
      section.set(line.name, line.value)
      last = line.name
    } else failWithMessage(`Can't parse line '${text}' (file: ${path}, line: ${number})`)
  }
  for (const each of content) if (each instanceof RepoSection) each.isChanged = false
  return content
}
