// Expressions whose types SQLite does not have, and how BigQuery's interface writes their values
// (with formatOptions.useInt64Timestamp).
'use strict';
const field = (type, more) => ({ type, mode: 'NULLABLE', ...more });
const record = (...fields) => field('RECORD', { fields });
module.exports = {
    "NUMERIC '1.50'": { field: field('NUMERIC'), v: '1.5' },
    "NUMERIC '12345678901234567890123456789.123456789'": { field: field('NUMERIC'), v: '12345678901234567890123456789.123456789' },
    "BIGNUMERIC '0.12345678901234567890123456789012345678'": { field: field('BIGNUMERIC'), v: '0.12345678901234567890123456789012345678' },
    "NUMERIC '7'": { field: field('NUMERIC', { precision: '5' }), v: '7' },
    '9223372036854775807': { field: field('INTEGER'), v: '9223372036854775807' },
    'CAST(0.1 AS FLOAT64)': { field: field('FLOAT'), v: '0.1' },
    "CAST('NaN' AS FLOAT64)": { field: field('FLOAT'), v: 'NaN' },
    "CAST('-inf' AS FLOAT64)": { field: field('FLOAT'), v: '-Infinity' },
    '1e300': { field: field('FLOAT'), v: '1.0E300' },
    TRUE: { field: field('BOOLEAN'), v: 'true' },
    FALSE: { field: field('BOOLEAN'), v: 'false' },
    "b'\\x00\\xff\\x10'": { field: field('BYTES'), v: 'AP8Q' },
    "b'ab'": { field: field('BYTES'), v: 'YWI=' },
    "b''": { field: field('BYTES'), v: '' },
    "DATE '2024-02-29'": { field: field('DATE'), v: '2024-02-29' },
    "TIME '10:20:30.5'": { field: field('TIME'), v: '10:20:30.500000' },
    "DATETIME '2024-01-31 10:00:00'": { field: field('DATETIME'), v: '2024-01-31T10:00:00' },
    "TIMESTAMP '2024-01-31 10:00:00.123456+02'": { field: field('TIMESTAMP'), v: '1706688000123456' },
    "TIMESTAMP '2024-01-31 08:00:00+00'": { field: field('TIMESTAMP'), v: '1706688000000000' },
    "TIMESTAMP '1969-12-31 23:59:59.5+00'": { field: field('TIMESTAMP'), v: '-500000' },
    "TIMESTAMP '0001-01-01 00:00:00+00'": { field: field('TIMESTAMP'), v: '-62135596800000000' },
    "TIMESTAMP '9999-12-31 23:59:59.999999+00'": { field: field('TIMESTAMP'), v: '253402300799999999' },
    "TIMESTAMP '2024-01-31 08:00:00.5+00'": { field: field('TIMESTAMP'), v: '1.7066880005E9' }, // an emulator's form
    "INTERVAL '1-2 3 4:5:6' YEAR TO SECOND": { field: field('INTERVAL'), v: '1-2 3 4:5:6' },
    "JSON '{\"a\": [1, null]}'": { field: field('JSON'), v: '{"a":[1,null]}' },
    "ST_GEOGPOINT(7, 50)": { field: field('GEOGRAPHY'), v: 'POINT(7 50)' },
    "[1, 2]": { field: field('INTEGER', { mode: 'REPEATED' }), v: [{ v: '1' }, { v: '2' }] },
    "ARRAY<STRING>[]": { field: field('STRING', { mode: 'REPEATED' }), v: [] },
    "[NUMERIC '1.5']": { field: field('NUMERIC', { mode: 'REPEATED' }), v: [{ v: '1.5' }] },
    "STRUCT(1 AS a, 'x' AS b, NULL AS c)": { field: record({ name: 'a', type: 'INTEGER' }, { name: 'b', type: 'STRING' }, { name: 'c', type: 'INTEGER' }),
        v: { f: [{ v: '1' }, { v: 'x' }, { v: null }] } },
    "[STRUCT([TRUE] AS a)]": { field: { ...record({ name: 'a', type: 'BOOLEAN', mode: 'REPEATED' }), mode: 'REPEATED' },
        v: [{ v: { f: [{ v: [{ v: 'true' }] }] } }] },
};
