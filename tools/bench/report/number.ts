/** Three digits that matter, thousands apart: 1 234 567 · 45.6 · 0.123 · never · – */
export function number(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–'
  if (!Number.isFinite(value)) return 'never'
  const size = Math.abs(value)
  const text =
    size >= 100 || Number.isInteger(value) ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toPrecision(3)
  return text.replace(/^-?\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ' '))
}
