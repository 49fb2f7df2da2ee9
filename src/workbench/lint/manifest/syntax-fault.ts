/** A fault that prevents all checks of a manifest. */
export class SyntaxFault extends Error {
  readonly line: number
  readonly column: number

  constructor({ line, column }: { readonly line: number; readonly column: number }, message = 'Syntax error') {
    super(message)
    this.name = 'SyntaxFault'
    this.line = line
    this.column = column
  }
}
