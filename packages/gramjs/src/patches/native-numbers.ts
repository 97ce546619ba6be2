/**
 * Defect: gramjs has a number of big-integer for each id it reads or writes. On Node that is a native BigInt; but it is shifted, masked and
 * written in other bases by long division, digit by digit, which took a third of the processor time of a courier. Here each of these is
 * one native operation with the same result.
 */
import bigInt, { type BigInteger, type BigNumber } from 'big-integer'
import { helpers } from 'telegram'

type Native = BigInteger & { readonly value: bigint }

const nativeOf = (number: BigNumber): bigint => (typeof number === 'object' ? (number as Native).value : BigInt(number))
const numberOf = (value: bigint): BigInteger => bigInt(value)

const { toString: toAnyBase } = Object.getPrototypeOf(bigInt.zero) as BigInteger

const operations = {
  shiftLeft(this: Native, bits: BigNumber) {
    return numberOf(this.value << nativeOf(bits))
  },
  shiftRight(this: Native, bits: BigNumber) {
    return numberOf(this.value >> nativeOf(bits))
  },
  and(this: Native, other: BigNumber) {
    return numberOf(this.value & nativeOf(other))
  },
  or(this: Native, other: BigNumber) {
    return numberOf(this.value | nativeOf(other))
  },
  bitLength(this: Native) {
    const { value } = this
    // of a negative number it is that of its complement
    const magnitude = value < 0n ? ~value : value
    return numberOf(magnitude === 0n ? 0n : BigInt(magnitude.toString(2).length))
  },
  toString(this: Native, radix = 10, alphabet?: string) {
    const isUsual = alphabet === undefined && radix >= 2 && radix <= 36
    return isUsual ? this.value.toString(radix) : toAnyBase.call(this, radix, alphabet)
  },
  toJSNumber(this: Native) {
    return Number(this.value)
  },
  valueOf(this: Native) {
    return Number(this.value)
  },
}

function readBigIntFromBuffer(bytes: Buffer, little = true, signed = false): BigInteger {
  const hex = (little ? Buffer.from(bytes).reverse() : bytes).toString('hex')
  const value = BigInt(`0x${hex}`)
  return numberOf(signed ? BigInt.asIntN(bytes.length * 8, value) : value)
}

/** For the whole process: gramjs and we share what is patched. */
export function useNativeNumbers(): void {
  Object.assign(Object.getPrototypeOf(bigInt.zero), operations)
  Object.assign(helpers, { readBigIntFromBuffer })
}
