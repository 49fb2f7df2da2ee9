/** Pauses a thread from another thread. The paused thread blocks where it calls `wait`, and keeps its state. */
export class PauseSwitch {
  /** Memory shared by both threads. */
  readonly memory: SharedArrayBuffer
  readonly #isPaused: Int32Array

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.memory = memory
    this.#isPaused = new Int32Array(memory)
  }

  get isPaused(): boolean {
    return Atomics.load(this.#isPaused, 0) === 1
  }

  set(isPaused: boolean): void {
    Atomics.store(this.#isPaused, 0, isPaused ? 1 : 0)
    if (!isPaused) Atomics.notify(this.#isPaused, 0)
  }

  /** Blocks the calling thread while the switch is set. */
  wait(): void {
    while (this.isPaused) Atomics.wait(this.#isPaused, 0, 1)
  }
}
