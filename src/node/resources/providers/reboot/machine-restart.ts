/** The restart of the machine that resources request during a run. It begins when the report is stored and sent. */
export class MachineRestart {
  #start: (() => Promise<void>) | undefined
  #endsRun = false

  /** True if a resource requested the restart; a machine restarts once. */
  get isRequested(): boolean {
    return this.#start !== undefined
  }

  /** True if the remaining resources of the run are skipped. */
  get endsRun(): boolean {
    return this.#endsRun
  }

  /** Requests the restart. `start` is called after the run; later requests are ignored. */
  request(start: () => Promise<void>, endsRun: boolean): void {
    this.#start ??= start
    this.#endsRun ||= endsRun
  }

  /** Starts the requested restart, if any; not if the run changed another root directory than /. */
  async start(root = ''): Promise<void> {
    if (root === '') await this.#start?.()
  }
}
