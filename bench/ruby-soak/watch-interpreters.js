// Counts the interpreters that this process starts, and the calls that they get.

/** To be called before the first one starts. */
export function watchInterpreters() {
  const call =
    'rb-funcallv-protect: func(recv: handle<rb-abi-value>, mid: u32, args: list<handle<rb-abi-value>>) -> tuple<handle<rb-abi-value>, s32>'
  let started = 0
  let calls = 0
  let memory
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, /** @type {[any, any]} */ given) {
      /** @type {any} */
      const exports = new target(...given).exports
      started++
      memory = exports.memory
      const counted = (...args) => {
        calls++
        return exports[call](...args)
      }
      return { exports: { ...exports, [call]: counted } }
    },
  })
  return {
    started: () => started,
    calls: () => calls,
    /** Bytes of the one that was started last. */
    memorySize: () => memory?.buffer.byteLength ?? 0,
  }
}
