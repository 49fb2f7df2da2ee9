/** The part of WebAssembly's interface that we use; Node's types leave it to those of browsers. */
// biome-ignore lint/style/noNamespace: it is how the platform names it
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
    static imports(module: Module): { readonly module: string; readonly name: string }[]
  }
  /** Compiles beside the thread's own work. */
  function compile(bytes: Uint8Array): Promise<Module>
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
  interface Memory {
    readonly buffer: ArrayBuffer
    /** Adds pages of 64 KiB. */
    grow(pages: number): number
  }
}
