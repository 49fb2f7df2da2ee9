/** A row of docs/protocol.md: a request, and what is answered to it. */
export interface Row {
  /** The row in words, as near to the page's as they can be. */
  readonly row: string
  /** `METHOD PATH`; a path without a slash at its head is below `/puppet/v3`. `CODE_ID` is the commit. */
  readonly request: string
  /** The name in the client's certificate, `a.test` by default; `nobody` has no certificate, `admin.test` is an administrator. */
  readonly as?: string
  /** By default `Accept: application/json`; `{}` is none. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | (() => Promise<string>)
  /** The request is sent once more, with `If-None-Match`: the ETag of the first answer, and this after it. */
  readonly revalidates?: string
  readonly status: number
  /** The content type to the letter; `none` where there has to be none. */
  readonly type?: string
  /** The whole text, or the data of a JSON text, or a matcher of one of them. */
  readonly answer?: unknown
  /** The part of the JSON that `answer` is compared with. */
  readonly part?: (data: never) => unknown
  /** Headers of the answer. */
  readonly has?: Readonly<Record<string, unknown>>
}

/** A section of docs/protocol.md, by its number, and its rows in the order in which they are asked. */
export interface Section {
  readonly section: string
  /** The server that is asked: with the default rules, one that lets everybody do everything, one with rules of each kind. */
  readonly server: 'byDefault' | 'open' | 'ruled'
  readonly rows: readonly Row[]
}

export const textType = 'text/plain;charset=utf-8'
export const jsonType = 'application/json;charset=utf-8'
export const bytesType = 'application/octet-stream'

/** An error of Puppet's, with or without a hint of ours. */
export function error(message: string, issue_kind = 'RUNTIME_ERROR'): object {
  return { message, issue_kind }
}

/** The head of a form in which a catalog is asked for. */
export const form = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
export const sendsJson = { accept: 'application/json', 'content-type': 'application/json' }
