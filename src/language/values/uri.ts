/** A URI by RFC 3986, as written. */
export class Uri {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
