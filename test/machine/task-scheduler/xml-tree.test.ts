import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import {
  createXmlElement,
  ensureXmlElement,
  findXmlElement,
  formatXml,
  parseXml,
  readXmlText,
  setXmlText,
  type XmlElement,
} from '../../../src/machine/task-scheduler/xml-tree.ts'
import { fc } from '../../support/properties.ts'

describe('parseXml', () => {
  it.each([
    ['<a/>', '<a />'],
    ['\ufeff<?xml version="1.0"?>\r\n<!-- x > y --><a b="1" c=\'"2"\'></a>\n', '<a b="1" c="&quot;2&quot;" />'],
    ['<a> \n <b>x</b>\n</a>', '<a>\r\n  <b>x</b>\r\n</a>'],
    ['<a> </a>', '<a> </a>'],
    ['<a>&lt;&#65;&#x42;&amp;amp;&apos;</a>', "<a>&lt;AB&amp;amp;'</a>"],
    ['<a><![CDATA[<b>&amp;]]></a>', '<a>&lt;b&gt;&amp;amp;</a>'],
    ['<a>x<b c="d">y<e/></b> z</a>', '<a>x<b c="d">y<e /></b> z</a>'],
    ['<a>é漢😀</a>', '<a>é漢😀</a>'],
    ['<a\n b = "x\ny" ><!-- no --></a >', '<a b="x&#10;y" />'],
    ['<x:a xmlns:x="u"><x:b/></x:a>', '<x:a xmlns:x="u">\r\n  <x:b />\r\n</x:a>'],
  ])('reads %j', (text, expected) => {
    expect(formatXml(parseXml(text))).toBe(`${expected}\r\n`)
  })

  it.each([
    ['', 'there is not one root element'],
    ['text', 'there is not one root element'],
    ['<a/><b/>', 'there is not one root element'],
    ['<a>', 'the element a has no end'],
    ['<a></b>', 'the tag b closes no element'],
    ['</a>', 'the tag a closes no element'],
    ['<a', 'the tag a has no end'],
    ['<a b></a>', 'the tag a has no end'],
    ['<a b="1" b="2"/>', 'the attribute b occurs twice'],
    ['<a b="<"/>', 'the tag a has no end'],
    ['< a/>', 'a name is missing'],
    ['<!-- <a/>', 'a comment has no end'],
    ['<a><![CDATA[</a>', 'a CDATA section has no end'],
    ['<?xml', 'an instruction has no end'],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'document types are not supported'],
    ['<a>&b;</a>', 'the entity &b is unknown'],
    ['<a>&toString;</a>', 'the entity &toString is unknown'],
    ['<a>&amp</a>', 'the entity &amp is unknown'],
    ['<a>&#x110000;</a>', 'the entity &#x110000 is unknown'],
    ['<a>'.repeat(100_000), 'elements are nested too deeply'],
  ])('rejects %.60j', (text, why) => {
    expect(() => parseXml(text)).toThrow(why)
  })

  it('reads a million characters of any kind in linear time', () => {
    for (const part of ['<', '<a ', '<a>', '&', '<!--', '<![CDATA[', '<a b="', '</', ' ', '<a b=" ', "<a b = '"])
      expect(() => parseXml(part.repeat(1_000_000 / part.length))).toThrow(PuppetError)
  })

  it('reads or rejects any text', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          '<a>',
          '</a>',
          '<b c="d"/>',
          '<!--',
          '-->',
          '<![CDATA[',
          ']]>',
          '&amp;',
          '&',
          '"',
          '<?',
          '?>',
          '<',
        ),
        fc.string({ unit: 'binary' }),
      ),
    )
    fc.assert(
      fc.property(pieces, (parts) => {
        try {
          parseXml(`<a>${parts.join('')}</a>`)
        } catch (error) {
          expect(error).toBeInstanceOf(PuppetError)
        }
      }),
    )
  })

  it('reads the trees that formatXml writes', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    const { element } = fc.letrec<{ element: XmlElement }>((tie) => ({
      element: fc.record({
        name: fc.constantFrom('Task', 'x:y', 'É'),
        attributes: fc.dictionary(fc.constantFrom('id', 'version'), text).map((each) => new Map(Object.entries(each))),
        children: fc.oneof(
          { depthSize: 'small' },
          fc.array(text, { maxLength: 1 }),
          fc.array(tie('element') as fc.Arbitrary<XmlElement>, { maxLength: 3 }),
        ),
      }) as fc.Arbitrary<XmlElement>,
    }))
    fc.assert(
      fc.property(element, (tree) => {
        expect(parseXml(formatXml(tree))).toEqual(tree)
      }),
    )
  })
})

describe('elements', () => {
  const tree = () => parseXml('<Task><A>1</A><C><D>2</D></C></Task>')

  it('are found by their names', () => {
    expect(readXmlText(tree(), 'C', 'D')).toBe('2')
    expect(readXmlText(tree(), 'C', 'E')).toBeUndefined()
    expect(findXmlElement(tree(), 'X', 'D')).toBeUndefined()
    expect(readXmlText(createXmlElement('a'))).toBe('')
  })

  it('are changed, created in their place, and removed', () => {
    const task = tree()
    setXmlText(task, 'A', '3')
    ensureXmlElement(task, 'B', 'C', 'E').children.push('x')
    ensureXmlElement(task, 'E')
    setXmlText(ensureXmlElement(task, 'C'), 'D', undefined)
    expect(formatXml(task)).toBe('<Task>\r\n  <A>3</A>\r\n  <B>x</B>\r\n  <C />\r\n  <E />\r\n</Task>\r\n')
  })
})
