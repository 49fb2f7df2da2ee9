/** The name of a variable without indexes such as `['os']`. */
export function removeIndexes(name: string): string {
  let result = ''
  let done = 0
  for (let open = name.indexOf('['); open !== -1; open = name.indexOf('[', done)) {
    const close = name.indexOf(']', open + 2)
    if (close === -1) break
    result += name.slice(done, open)
    done = close + 1
  }
  return result + name.slice(done)
}
