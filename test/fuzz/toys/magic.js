/** Fails on one word that nobody finds at random, but a letter at a time. @type {import('../target.js').Target} */
export default {
  name: 'magic',
  seeds: ['xxxx'],
  dictionary: [],
  run([first, second, third, fourth]) {
    if (first === 0x46)
      if (second === 0x55)
        if (third === 0x5a) {
          if (fourth === 0x21) throw new TypeError('found')
        }
  },
}
