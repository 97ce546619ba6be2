/** TL values as plain objects: `_` is the constructor, longs are bigints, int128 and bytes are Buffers. */
import { type Reader, Writer } from './bytes.ts'
import type { Definition, Schema, Type } from './schema.ts'

export type TlValue = number | bigint | string | boolean | Buffer | TlObject | readonly TlValue[] | undefined
export interface TlObject {
  readonly _: string
  readonly [field: string]: TlValue
}

const vectorId = 0x1cb5c415
const trueId = 0x997275b5
const falseId = 0xbc799737

/** The bytes begin with a constructor id the schema does not have. */
export class UnknownConstructor extends Error {
  readonly id: number
  constructor(id: number) {
    super(`no constructor has the id ${id.toString(16).padStart(8, '0')}`)
    this.id = id
  }
}

/** A boxed value: an object, a Bool, or a vector of those. @throws UnknownConstructor, RangeError */
export function decode(schema: Schema, reader: Reader): TlValue {
  const id = reader.id()
  if (id === trueId) return true
  if (id === falseId) return false
  if (id === vectorId) return Array.from({ length: vectorLength(reader) }, () => decode(schema, reader))
  const definition = schema.byId.get(id)
  if (!definition) throw new UnknownConstructor(id)
  return decodeFields(schema, definition, reader)
}

/** @throws UnknownConstructor, RangeError, or TypeError when the value is not an object */
export function decodeObject(schema: Schema, reader: Reader): TlObject {
  const value = decode(schema, reader)
  if (typeof value !== 'object' || !('_' in value)) throw new TypeError('expected a TL object')
  return value
}

function decodeFields(schema: Schema, definition: Definition, reader: Reader): TlObject {
  const object: { _: string; [field: string]: TlValue } = { _: definition.name }
  for (const { name, type, flag } of definition.params) {
    if (flag) {
      const on = ((object[flag.field] as number) >>> flag.bit) & 1
      if (!on) continue
    }
    object[name] = decodeAs(schema, type, reader)
  }
  return object
}

function decodeAs(schema: Schema, type: Type, reader: Reader): TlValue {
  switch (type.kind) {
    case 'int':
    case 'flags':
      return reader.int()
    case 'long':
      return reader.long()
    case 'double':
      return reader.double()
    case 'int128':
      return reader.raw(16)
    case 'int256':
      return reader.raw(32)
    case 'string':
      return reader.bytes().toString('utf8')
    case 'bytes':
      return reader.bytes()
    case 'true':
      return true
    case 'Bool':
    case 'object':
      return decode(schema, reader)
    case 'bare':
      return decodeFields(schema, definitionOf(schema, type.name), reader)
    case 'vector': {
      if (type.boxed && reader.id() !== vectorId) throw new TypeError('expected a vector')
      return Array.from({ length: vectorLength(reader) }, () => decodeAs(schema, type.of, reader))
    }
  }
}

function vectorLength(reader: Reader): number {
  const length = reader.int()
  if (length < 0 || length > 100_000) throw new RangeError(`a vector of ${length} items`)
  return length
}

/** Writes a boxed value. @throws TypeError when a field is missing or a constructor is unknown */
export function encode(schema: Schema, value: TlValue, writer = new Writer()): Writer {
  if (typeof value === 'boolean') return writer.int(value ? trueId : falseId)
  if (Array.isArray(value)) {
    writer.int(vectorId).int(value.length)
    for (const item of value) encode(schema, item, writer)
    return writer
  }
  const object = value as TlObject
  const definition = definitionOf(schema, object?._)
  return encodeFields(schema, definition, object, writer.int(definition.id))
}

function encodeFields(schema: Schema, definition: Definition, object: TlObject, writer: Writer): Writer {
  for (const { name, type, flag } of definition.params) {
    if (type.kind === 'flags') writer.int(flagsOf(definition, name, object))
    else if (flag && !isSet(object[name])) continue
    else if (type.kind !== 'true') encodeAs(schema, type, object[name], writer, definition)
  }
  return writer
}

function encodeAs(schema: Schema, type: Type, value: TlValue, writer: Writer, owner: Definition): void {
  if (value === undefined) throw new TypeError(`${owner.name}: a ${type.kind} is missing`)
  switch (type.kind) {
    case 'int':
    case 'flags':
      writer.int(value as number)
      break
    case 'long':
      writer.long(value as bigint)
      break
    case 'double':
      writer.double(value as number)
      break
    case 'int128':
    case 'int256':
      writer.raw(value as Buffer)
      break
    case 'string':
    case 'bytes':
      writer.bytes(value as string | Buffer)
      break
    case 'true':
      break
    case 'Bool':
    case 'object':
      encode(schema, value, writer)
      break
    case 'bare':
      encodeFields(schema, definitionOf(schema, type.name), value as TlObject, writer)
      break
    case 'vector':
      if (type.boxed) writer.int(vectorId)
      writer.int((value as readonly TlValue[]).length)
      for (const item of value as readonly TlValue[]) encodeAs(schema, type.of, item, writer, owner)
  }
}

function flagsOf(definition: Definition, field: string, object: TlObject): number {
  let flags = 0
  for (const { name, flag } of definition.params) {
    if (flag?.field === field && isSet(object[name])) flags |= 1 << flag.bit
  }
  return flags
}

/** A flagged `true` given as false is an absent one. */
function isSet(value: TlValue): boolean {
  return value !== undefined && value !== false
}

function definitionOf(schema: Schema, name: string): Definition {
  const definition = schema.byName.get(name)
  if (!definition) throw new TypeError(`the schema has no ${name}`)
  return definition
}
