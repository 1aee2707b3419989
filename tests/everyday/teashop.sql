-- A web shop for tea: snake_case, amounts in cents, statuses as codes of a lookup table, several dates on one row.
CREATE TABLE shoppers (
  id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  email TEXT,
  city TEXT NOT NULL,
  country TEXT NOT NULL,
  newsletter_opt_in INTEGER NOT NULL,
  referred_by_id INTEGER REFERENCES shoppers(id),
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL
);
CREATE TABLE order_statuses (
  code TEXT PRIMARY KEY,
  label TEXT NOT NULL
);
CREATE TABLE product_types (
  id INTEGER PRIMARY KEY,
  label TEXT NOT NULL
);
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  type_id INTEGER NOT NULL REFERENCES product_types(id),
  title TEXT NOT NULL,
  price_cents INTEGER NOT NULL,
  cost_cents INTEGER NOT NULL,
  weight_g INTEGER NOT NULL,
  stock_qty INTEGER NOT NULL,
  is_organic INTEGER NOT NULL,
  launched_on DATE NOT NULL,
  discontinued_at DATE
);
CREATE TABLE coupons (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL,
  percent_off INTEGER NOT NULL,
  valid_from DATE NOT NULL,
  valid_until DATE NOT NULL
);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  shopper_id INTEGER NOT NULL REFERENCES shoppers(id),
  status_code TEXT NOT NULL REFERENCES order_statuses(code),
  coupon_id INTEGER REFERENCES coupons(id),
  device TEXT NOT NULL,
  placed_at DATETIME NOT NULL,
  shipped_at DATETIME,
  delivered_at DATETIME,
  shipping_cents INTEGER NOT NULL,
  total_cents INTEGER NOT NULL
);
CREATE TABLE order_lines (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders(id),
  product_id INTEGER NOT NULL REFERENCES products(id),
  qty INTEGER NOT NULL,
  unit_price_cents INTEGER NOT NULL
);
CREATE TABLE return_requests (
  id INTEGER PRIMARY KEY,
  order_line_id INTEGER NOT NULL REFERENCES order_lines(id),
  reason TEXT NOT NULL,
  requested_at DATETIME NOT NULL,
  approved_at DATETIME,
  refund_cents INTEGER NOT NULL
);
CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products(id),
  shopper_id INTEGER NOT NULL REFERENCES shoppers(id),
  stars INTEGER NOT NULL,
  body TEXT,
  created_at DATETIME NOT NULL
);

INSERT INTO shoppers
SELECT n, json_extract(first, '$[' || (a % 26) || ']') || ' ' || json_extract(last, '$[' || (n * 3 % 25) || ']'),
  CASE WHEN b % 14 = 0 THEN NULL ELSE 'shopper' || n || '@mail.example' END,
  json_extract('["Vienna","Graz","Zurich","Basel","Munich","Cologne","Leipzig","Lyon","Porto"]', '$[' || (c % 9) || ']'),
  json_extract('["Austria","Austria","Switzerland","Switzerland","Germany","Germany","Germany","France","Portugal"]', '$[' || (c % 9) || ']'),
  d % 5 < 2, CASE WHEN n > 20 AND e % 6 = 0 THEN 1 + f % 20 END,
  datetime('2023-06-01', '+' || (g % 1200 * 1440 + h % 1440) || ' minutes'), ''
FROM dice, word WHERE t = 1 AND n <= 180;
UPDATE shoppers SET updated_at = datetime(created_at, '+' || (id * 37 % 90) || ' days');
INSERT INTO order_statuses VALUES ('NEW', 'Pending'), ('PAI', 'Paid'), ('SHP', 'Shipped'), ('DLV', 'Delivered'),
  ('CAN', 'Cancelled'), ('REF', 'Refunded');
INSERT INTO product_types VALUES (1, 'Green tea'), (2, 'Black tea'), (3, 'Herbal tea'), (4, 'Teaware'), (5, 'Gift box');
INSERT INTO products
SELECT n, 1 + (n - 1) % 5, json_extract('[["Sencha","Matcha","Gyokuro","Dragonwell","Jasmine Pearls","Bancha","Genmaicha","Gunpowder"],["Assam","Darjeeling","Ceylon","Earl Grey","Lapsang","Keemun","Nilgiri","Yunnan Gold"],["Rooibos","Chamomile","Peppermint","Hibiscus","Lemon Verbena","Fennel","Nettle","Rosehip"],["Glass Teapot","Bamboo Whisk","Clay Cup","Tea Tin","Infuser","Cast Iron Pot","Milk Jug","Tea Towel"],["Starter Box","Winter Box","Matcha Kit","Office Box","Advent Box","Sampler","Wellness Box","Tasting Set"]]',
  '$[' || ((n - 1) % 5) || '][' || ((n - 1) / 5) || ']'),
  690 + a % 60 * 100 + n * 7, 300 + b % 30 * 10 + n, 50 + c % 20 * 25, CASE WHEN d % 9 = 0 THEN 0 ELSE 1 + d % 160 END,
  e % 3 = 0, date('2022-01-10', '+' || (f % 1300) || ' days'), CASE WHEN g % 8 = 0 THEN date('2025-09-01', '+' || (h % 300) || ' days') END
FROM dice WHERE t = 2 AND n <= 40;
INSERT INTO coupons VALUES (1, 'WELCOME10', 10, '2023-01-01', '2027-12-31'), (2, 'SUMMER15', 15, '2025-06-01', '2025-08-31'),
  (3, 'XMAS20', 20, '2024-12-01', '2024-12-26'), (4, 'TEADAY25', 25, '2026-05-15', '2026-05-25'),
  (5, 'FRIENDS5', 5, '2024-01-01', '2026-06-30'), (6, 'OOPS30', 30, '2025-02-01', '2025-02-28');
INSERT INTO orders
SELECT n, 1 + min(a % 150, b % 170), json_extract('["NEW","PAI","SHP","DLV","DLV","DLV","DLV","DLV","CAN","REF"]', '$[' || (c % 10) || ']'),
  CASE WHEN d % 4 = 0 THEN 1 + e % 5 END, json_extract('["mobile","mobile","desktop","desktop","tablet"]', '$[' || (f % 5) || ']'),
  datetime('2024-01-01', '+' || (g % 1030 * 1440 + h % 1440) || ' minutes'), NULL, NULL, json_extract('[0,390,390,590]', '$[' || (b % 4) || ']'), 0
FROM dice WHERE t = 3 AND n <= 900;
UPDATE orders SET shipped_at = datetime(placed_at, '+' || (300 + id * 61 % 4000) || ' minutes') WHERE status_code IN ('SHP', 'DLV', 'REF');
UPDATE orders SET delivered_at = datetime(shipped_at, '+' || (1440 + id * 97 % 8000) || ' minutes') WHERE status_code IN ('DLV', 'REF');
INSERT INTO order_lines
SELECT n, CASE WHEN n <= 900 THEN n ELSE 1 + a % 900 END, 1 + min(b % 38, c % 44) % 38, 1 + min(d % 4, e % 6), 0 FROM dice WHERE t = 4 AND n <= 1800;
UPDATE order_lines SET unit_price_cents = (SELECT price_cents FROM products p WHERE p.id = product_id);
UPDATE orders SET total_cents = shipping_cents + (SELECT sum(qty * unit_price_cents) FROM order_lines l WHERE l.order_id = orders.id);
INSERT INTO return_requests
SELECT n, 1 + a % 1800, json_extract('["damaged","wrong item","did not like it","late","duplicate order","damaged"]', '$[' || (b % 6) || ']'),
  '', NULL, 0 FROM dice WHERE t = 5 AND n <= 130;
UPDATE return_requests SET requested_at = (SELECT datetime(o.placed_at, '+' || (4 + return_requests.id % 20) || ' days') FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE l.id = order_line_id),
  refund_cents = (SELECT l.qty * l.unit_price_cents FROM order_lines l WHERE l.id = order_line_id);
UPDATE return_requests SET approved_at = datetime(requested_at, '+' || (1 + id * 7 % 6) || ' days') WHERE id % 4 <> 0;
INSERT INTO reviews
SELECT n, 1 + min(a % 37, b % 36), 1 + c % 160, 1 + max(d % 5, e % 4), CASE WHEN f % 3 = 0 THEN NULL ELSE 'Review no. ' || n END,
  datetime('2024-01-15', '+' || (g % 1010 * 1440 + h % 1440) || ' minutes')
FROM dice WHERE t = 6 AND n <= 420;
