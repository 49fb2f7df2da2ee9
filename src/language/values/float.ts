/** A Float: a class of its own, so that `1.0` does not become the Integer `1`. */
export class Float {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}
