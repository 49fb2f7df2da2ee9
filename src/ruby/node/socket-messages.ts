import type { Json } from '../../base/json/json-checks.ts'

/** A request about the sockets of a thread. Times are in milliseconds; without a time, the request waits forever. */
export type SocketRequest =
  | {
      readonly op: 'connect'
      readonly host: string
      readonly port: number
      readonly localHost?: string | undefined
      readonly localPort?: number | undefined
      readonly timeMs?: number | undefined
    }
  | { readonly op: 'connect_unix'; readonly path: string; readonly timeMs?: number | undefined }
  | { readonly op: 'tls'; readonly id: number; readonly tls: TlsRequest; readonly timeMs?: number | undefined }
  | { readonly op: 'read'; readonly id: number; readonly size: number; readonly timeMs?: number | undefined }
  | { readonly op: 'wait'; readonly ids: readonly number[]; readonly timeMs?: number | undefined }
  | { readonly op: 'write'; readonly id: number; readonly bytes: Uint8Array; readonly timeMs?: number | undefined }
  | { readonly op: 'wait_writable'; readonly id: number; readonly timeMs?: number | undefined }
  | { readonly op: 'finish' | 'close' | 'addresses'; readonly id: number }
  | {
      readonly op: 'resolve'
      readonly host: string
      readonly family: 0 | 4 | 6
      readonly timeMs?: number | undefined
    }
  | {
      readonly op: 'dns'
      readonly name: string
      readonly type: string
      readonly servers: readonly string[]
      readonly timeMs?: number | undefined
    }

/** The client side of a TLS connection. Certificate and key are PEM. The caller verifies the server's certificates. */
export interface TlsRequest {
  readonly host?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
  readonly minVersion?: string | undefined
  readonly maxVersion?: string | undefined
  readonly ciphers?: string | undefined
  readonly protocols?: readonly string[]
}

/** A response; bytes are in `bytes`. A failure has a kind, and the name of a system error. */
export type SocketResponse =
  | { readonly value: Json }
  | { readonly bytes: Uint8Array }
  | { readonly failure: SocketFailure }

/** The reason why a request failed. */
export interface SocketFailure {
  readonly kind: 'system' | 'resolution' | 'tls' | 'timeout' | 'closed' | 'refused'
  readonly message: string
  /** Code of a system error, such as `ECONNREFUSED`. */
  readonly errno?: string
}
