/** The part of the WebAssembly interface that we use. Node's type definitions do not contain it. */
// biome-ignore lint/style/noNamespace: it is how the platform names it
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
    static imports(module: Module): { readonly module: string; readonly name: string }[]
  }
  /** Compiles in the background. */
  function compile(bytes: Uint8Array): Promise<Module>
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
  interface Memory {
    readonly buffer: ArrayBuffer
    /** Adds pages of 64 KiB to the memory. */
    grow(pages: number): number
  }
}
