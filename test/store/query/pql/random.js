// Texts in PQL by chance: mostly right ones, and right ones with a mistake.

/** @returns {string[]} As many texts as asked for; the same ones for the same seed. */
export function randomPql(seed, count) {
  const writer = new Writer(seed)
  return Array.from({ length: count }, () => writer.text()).filter((text) => text.length < 400)
}

const fields = ['certname', 'name', 'x?', 'facts', 'facts.os', 'facts."a b"', 'trusted.x.y[3]', 'parameters.match("a")']
const names = [...fields, 'limit', 'asc', 'in', 'not_', 'count']
const entities = ['nodes', 'facts', 'factsets', 'fact_paths', 'packages', 'package_inventory', 'resources']
const strings = ['"a"', "'b'", '"\\""', "'\\''", '""', '"é"']
const numbers = ['1', '-2', '3.5', '1.5e3', '0']
const mistakes = ['x', ' ', '"', "'", '(', ')', '[', ']', '{', '}', ',', '=', '1', '.', '!', 'and', ' limit ']

class Writer {
  #state

  constructor(seed) {
    this.#state = seed
  }

  text() {
    const text = `${this.#space()}${this.#from(2)}${this.#space()}`
    return this.#number(3) === 0 ? this.#wrong(text) : text
  }

  #number(below) {
    this.#state = (this.#state * 1103515245 + 12345) % 2147483648
    return this.#state % below
  }

  #pick(list) {
    return list[this.#number(list.length)]
  }

  #space() {
    return this.#pick(['', '', ' ', ' ', ' ', '  ', '\t'])
  }

  /** Words with space between them, or none. */
  #words(...words) {
    return words.map((word) => word + this.#space()).join('')
  }

  #wrong(text) {
    const at = this.#number(text.length + 1)
    const rest = [text.slice(at), text.slice(at + 1), ''][this.#number(3)]
    return `${text.slice(0, at)}${rest === '' ? '' : this.#pick(['', ...mistakes])}${rest}`
  }

  #from(depth) {
    const fields = this.#number(2) ? this.#words('[', this.#fields(), ']') : ''
    return `${this.#words(this.#pick(entities))}${fields}${this.#where(depth)}`
  }

  #where(depth) {
    const expression = this.#number(5) ? this.#expression(depth) : ''
    const order = ` order by  ${this.#pick(names)}${this.#pick(['', ' asc', ' desc '])}`
    const clauses = ['', '', '', ' limit 5', order, ` group by ${this.#fields()}`, ' offset 3 limit 2']
    return this.#words('{', expression, this.#pick(clauses), '}').trimEnd()
  }

  #fields() {
    const more = ['count()', 'sum( x )', this.#pick(names), "to_string(x, 'y')"]
    return this.#number(2) ? this.#words(this.#pick(names), ',', this.#pick(more)) : this.#pick(names)
  }

  #expression(depth) {
    const conditions = Array.from({ length: depth > 0 ? 1 + this.#number(4) : 1 }, () => this.#condition(depth))
    return conditions.reduce((all, each) => `${all} ${this.#pick(['and', 'or'])} ${each}`)
  }

  #literal(depth) {
    const all = [this.#pick(strings), this.#pick(numbers), 'true', 'false']
    if (depth > 0) all.push(this.#words('[', this.#literal(depth - 1), ',', this.#literal(depth - 1), ']').trimEnd())
    return this.#pick(all)
  }

  #condition(depth) {
    const field = this.#pick(names)
    const plain = [
      () => this.#words(field, this.#pick(['=', '!=', '!~']), this.#literal(1)),
      () => this.#words(field, '~', this.#pick(strings)),
      () => this.#words(field, this.#pick(['<', '>=', '<=', '>']), this.#pick([...strings, ...numbers])),
      () => `${field} ${this.#pick(['is null', 'is not null'])}`,
      () => `${field} in${this.#words('', '[', this.#literal(1), ']')}`,
      () => this.#words(field, '~>', '[', this.#pick(strings), ',', this.#pick(strings), ']'),
      () => `!${this.#space()}${this.#condition(depth - 1)}`,
    ]
    const deep = [
      () => `${field} in ${this.#from(depth - 1)}`,
      () => `[${this.#fields()}] in ${this.#from(depth - 1)}`,
      () => `${this.#words(this.#pick(entities))}${this.#where(depth - 1)}`,
      () => this.#words('(', this.#expression(depth - 1), ')'),
    ]
    return this.#pick(depth > 0 ? [...plain, ...deep] : plain)().trimEnd()
  }
}
