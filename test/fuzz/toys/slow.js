/** Takes time that grows with the square of the length. @type {import('../target.js').Target} */
export default {
  name: 'slow',
  seeds: ['a b'],
  dictionary: [' ', 'a'],
  run(bytes) {
    let pairs = 0
    for (let end = 0; end < bytes.length; end += 4) for (let at = 0; at < end; at++) if (bytes[at] === 0x20) pairs++
    return pairs
  },
}
