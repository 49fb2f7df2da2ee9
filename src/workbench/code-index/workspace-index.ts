import { runToEnd } from '../../base/threads/cooperative-tasks.ts'
import type { CodeWorkspace } from './code-workspace.ts'
import { type CountedName, CountedNames } from './counted-names.ts'
import { listDataKeys } from './data-keys.ts'
import { type CodeFileKind, getCodeFileKind } from './file-lists.ts'
import { FileUses } from './file-uses.ts'
import { listNamedModules } from './module-description.ts'
import type { CodeModule } from './module-layout.ts'
import { collectKeyPlaces, collectPlaces, findPlacesIn, type NamePlace, type NamePlaces } from './name-places.ts'
import { UsedNames } from './used-names.ts'

interface IndexedFile {
  /** Changes with the content of the file. */
  readonly version: string
  readonly counted: readonly CountedName[]
  readonly templates: readonly string[]
  readonly places: NamePlaces | undefined
}

/**
 * The names of all files of a workspace. A change reads one file again; `update` finds the files that changed on disk. A
 * manifest with a syntax error keeps the names of its last valid text.
 */
export class WorkspaceIndex {
  readonly #workspace: CodeWorkspace
  readonly #names = new UsedNames()
  readonly #placeNames = new CountedNames()
  readonly #files = new Map<string, IndexedFile>()
  readonly #changed = new Set<string>()
  #isLoaded = false

  constructor(workspace: CodeWorkspace) {
    this.#workspace = workspace
  }

  /** True after the first update. */
  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /** The names that the files use. The first use reads all files. */
  get names(): UsedNames {
    this.load()
    return this.#names
  }

  /** Reads all files at the first call, later only the files that changed. */
  load(): void {
    if (!this.#isLoaded) runToEnd(this.update())
    for (const path of this.#changed) this.#read(path)
    this.#changed.clear()
  }

  /** Notes that the text of an open file changed. */
  change(path: string): void {
    this.#changed.add(path)
  }

  /** Lists all files again, and reads those that changed; yields after each file. */
  *update(): Generator<void> {
    const lists = yield* this.#workspace.refreshLists()
    const paths = new Set([...this.#changed, ...Object.values(lists).flat()])
    this.#changed.clear()
    for (const path of paths) {
      this.#read(path)
      yield
    }
    for (const path of [...this.#files.keys()].filter((each) => !paths.has(each))) {
      this.#remove(path)
      this.#read(path)
    }
    this.#isLoaded = true
  }

  /** The places of a name in all files, those of a path first. The files in question are checked for changes on disk. */
  findPlaces(name: string, first?: string): readonly NamePlace[] {
    this.load()
    const entry = this.#placeNames.find(name)
    if (!entry) return []
    const paths = [...this.#files].filter(([, { places }]) => places?.names.includes(entry)).map(([path]) => path)
    for (const path of paths) this.#read(path)
    return paths
      .sort((a, b) => (a === first ? -1 : b === first ? 1 : a < b ? -1 : 1))
      .flatMap((path) => {
        const places = this.#files.get(path)?.places
        const current = this.#placeNames.find(name)
        return places && current ? [...findPlacesIn(path, places, current)] : []
      })
  }

  /** Files whose code contains a literal string. */
  findFilesWithString(text: string): readonly string[] {
    const entry = this.names.strings.find(text)
    return entry ? [...this.#files].filter(([, { counted }]) => counted.includes(entry)).map(([path]) => path) : []
  }

  #read(path: string): void {
    const workspace = this.#workspace
    const version = workspace.getVersion(path)
    const known = this.#files.get(path)
    if (known && known.version === version) return
    const module = workspace.moduleOf(path)
    const kind = version === undefined ? undefined : getCodeFileKind(path, workspace.root, module)
    if (version === undefined || !kind) {
      this.#remove(path)
      return
    }
    const file = kind === 'manifest' || path.endsWith('.epp') ? workspace.file(path) : undefined
    if (known && file && !file.program) {
      this.#files.set(path, { ...known, version })
      return
    }
    this.#remove(path)
    const uses = new FileUses(this.#names, path, module?.name ?? '')
    let places: NamePlaces | undefined
    if (file?.program) {
      uses.addCode(file, !module && kind === 'manifest')
      places = collectPlaces(file.occurrences, this.#placeNames)
    }
    if (kind !== 'manifest') places = this.#readText(path, kind, module, uses) ?? places
    this.#files.set(path, { version, counted: uses.counted, templates: uses.templates, places })
  }

  /** Adds the names of a file that is no manifest; returns the places of keys of data. */
  #readText(path: string, kind: CodeFileKind, module: CodeModule | undefined, uses: FileUses): NamePlaces | undefined {
    const text = this.#workspace.text(path) ?? ''
    if (kind === 'dependencies') this.#names.setDependencies(path, listNamedModules(path, text))
    else if (kind === 'facts') uses.addFacts(text)
    else if (kind === 'ruby') uses.addRuby(path.slice((module?.folder ?? this.#workspace.root).length + 1), text)
    else if (kind === 'template') uses.addText(text)
    else {
      uses.addData(text)
      return collectKeyPlaces(listDataKeys({ file: path, text }), this.#placeNames)
    }
    return undefined
  }

  #remove(path: string): void {
    const known = this.#files.get(path)
    if (!known) return
    this.#files.delete(path)
    this.#names.remove(path, known.counted, known.templates)
    for (const each of known.places?.names ?? []) each.owner.remove(each)
  }
}
