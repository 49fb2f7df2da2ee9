import { type GitPlace, runGit } from './git-command.ts'

/** A line of `git update-ref --stdin`, and the caller that waits for it. */
interface Update {
  readonly line: string
  done(): void
  fail(error: unknown): void
}

/**
 * Updates of refs. While a git process runs, further updates wait and are then written by one process together: a server
 * with a thousand branches sets two thousand refs when it starts. If they fail together, each is repeated alone.
 */
export class RefUpdates {
  readonly #place: GitPlace
  readonly #options: readonly string[]
  #waiting: Update[] = []
  #isRunning = false

  /** `options` are further options of `git update-ref`. */
  constructor(place: GitPlace, options: readonly string[] = []) {
    this.#place = place
    this.#options = options
  }

  /** Sets a ref to a commit. Throws GIT_FAILED. */
  set(ref: string, commit: string): Promise<void> {
    return this.#add(`update ${ref} ${commit}`)
  }

  /** Deletes a ref, also if it does not exist. Throws GIT_FAILED. */
  delete(ref: string): Promise<void> {
    return this.#add(`delete ${ref}`)
  }

  #add(line: string): Promise<void> {
    return new Promise((done, fail) => {
      this.#waiting.push({ line, done, fail })
      if (!this.#isRunning) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isRunning = true
    // Updates of the same round of the event loop are written together.
    await new Promise((begin) => setImmediate(begin))
    while (this.#waiting.length > 0) await this.#writeTogether(this.#waiting.splice(0))
    this.#isRunning = false
  }

  async #writeTogether(updates: readonly Update[]): Promise<void> {
    try {
      await this.#write(updates)
      for (const { done } of updates) done()
    } catch (error) {
      if (updates.length === 1) updates[0]!.fail(error)
      else for (const each of updates) await this.#writeTogether([each])
    }
  }

  async #write(updates: readonly Update[]): Promise<void> {
    const lines = updates.map(({ line }) => `${line}\n`)
    await runGit(this.#place, ['update-ref', ...this.#options, '--stdin'], lines.join(''))
  }
}
