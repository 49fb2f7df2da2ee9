/**
 * The modules of node-forge that are imported separately. node-forge's own types cover only the complete package, and
 * omit some options.
 */
declare module 'node-forge/lib/asn1.js' {
  import type { asn1, util } from 'node-forge'

  interface ReadOptions {
    /** True to parse structures inside a BIT STRING. */
    readonly decodeBitStrings: boolean
  }

  const part: Omit<typeof asn1, 'fromDer'> & {
    fromDer(bytes: string, options: ReadOptions): asn1.Asn1
    getBerValueLength(bytes: util.ByteBuffer): number | undefined
  }
  export default part
}
