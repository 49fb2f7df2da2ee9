import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRevisionOpener } from '#built/code/environments/environment-opener.js'
import { openRepository } from '#built/code/git/repository-opener.js'

/** A repository in a folder, whose working tree is edited and committed, and its commits opened as a server opens them. */
export class Code {
  #folder
  /** The name of the environment. */
  name
  #open
  #source
  #time = 1_700_000_000
  /** Paths that differ from the last commit. */
  #changed = new Set()
  /** All paths of files. */
  paths = new Set()

  constructor(folder, name) {
    this.#folder = folder
    this.name = name
  }

  /** Makes the repository of all that lies in the folder. */
  async begin(settings) {
    this.#git('init', '--quiet', '--initial-branch=production', '.')
    this.#git('config', 'gc.auto', '0')
    this.#git('add', '--all', '--force')
    const listed = this.#git('ls-files', '-z').split('\0')
    this.paths = new Set(listed.filter((path) => path !== ''))
    this.#source = await openRepository(this.#folder)
    this.#open = createRevisionOpener(this.#source, settings)
  }

  text(path) {
    return this.paths.has(path) ? readFileSync(join(this.#folder, path), 'utf8') : undefined
  }

  /** Gives a file another text, or takes it away. */
  put(path, text) {
    const file = join(this.#folder, path)
    if (text === undefined) {
      rmSync(file, { force: true })
      this.paths.delete(path)
    } else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      this.paths.add(path)
    }
    this.#changed.add(path)
  }

  /** True where a file may be made: nothing above it is a file, and it is no folder. */
  hasRoomFor(path) {
    for (const each of this.paths) if (each.startsWith(`${path}/`) || path.startsWith(`${each}/`)) return false
    return true
  }

  /** The environment of a new commit. */
  async commit(message) {
    if (this.#changed.size > 0) this.#git('add', '--all', '--force', '--', ...this.#changed)
    this.#changed.clear()
    this.#git('commit', '--quiet', '--allow-empty', '--message', message)
    const commit = this.#git('rev-parse', 'HEAD').trim()
    return (await this.#open({ commit, ref: 'production', name: this.name })).environment
  }

  close() {
    return this.#source.close()
  }

  #git(...words) {
    const date = `${this.#time++} +0000`
    const author = { GIT_AUTHOR_NAME: 'Edits', GIT_AUTHOR_EMAIL: 'edits@example.test', GIT_AUTHOR_DATE: date }
    const committer = {
      GIT_COMMITTER_NAME: 'Edits',
      GIT_COMMITTER_EMAIL: 'edits@example.test',
      GIT_COMMITTER_DATE: date,
    }
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', ...author, ...committer }
    return execFileSync('git', words, { cwd: this.#folder, env, encoding: 'utf8', maxBuffer: 1e8 })
  }
}
