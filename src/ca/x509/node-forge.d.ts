/** The parts of node-forge that are loaded alone; its types know only the whole, and not every option. */
declare module 'node-forge/lib/asn1.js' {
  import type { asn1, util } from 'node-forge'

  interface ReadOptions {
    /** Structures inside of a BIT STRING are looked for. */
    readonly decodeBitStrings: boolean
  }

  const part: Omit<typeof asn1, 'fromDer'> & {
    fromDer(bytes: string, options: ReadOptions): asn1.Asn1
    getBerValueLength(bytes: util.ByteBuffer): number | undefined
  }
  export default part
}
