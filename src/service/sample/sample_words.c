/* The names of products, people and places. */
#include "service/sample/sample_state.h"

#define WORDS(...)                                                                       \
    {                                                                                    \
        (const char *const[]){__VA_ARGS__},                                              \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)            \
    }

const struct sample_words sample_tops =
    WORDS("Home", "Kitchen", "Garden", "Sports", "Electronics", "Toys");

const struct sample_leaf sample_leaves[SAMPLE_LEAVES] = {
    {"Lamps",
     0,
     11,
     1900,
     18900,
     {"Desk Lamp", "Floor Lamp", "Bedside Lamp", "Ceiling Lamp", "Reading Lamp",
      "Lantern"}},
    {"Textiles",
     0,
     0,
     900,
     9900,
     {"Blanket", "Cushion", "Curtain", "Rug", "Towel Set", "Bed Linen"}},
    {"Furniture",
     0,
     0,
     4900,
     79900,
     {"Bookshelf", "Armchair", "Side Table", "Desk", "Stool", "Wardrobe"}},
    {"Cookware",
     1,
     12,
     1500,
     14900,
     {"Frying Pan", "Stock Pot", "Wok", "Casserole", "Saucepan", "Baking Tray"}},
    {"Tableware",
     1,
     12,
     700,
     8900,
     {"Plate Set", "Mug", "Bowl Set", "Glass Set", "Cutlery Set", "Teapot"}},
    {"Small Appliances",
     1,
     12,
     2900,
     29900,
     {"Kettle", "Toaster", "Blender", "Coffee Maker", "Hand Mixer", "Rice Cooker"}},
    {"Garden Tools",
     2,
     5,
     900,
     8900,
     {"Spade", "Rake", "Pruning Shears", "Watering Can", "Trowel", "Garden Hose"}},
    {"Plants",
     2,
     4,
     300,
     4900,
     {"Rose Bush", "Lavender Pot", "Tomato Seedling", "Olive Tree", "Fern", "Herb Box"}},
    {"Outdoor Furniture",
     2,
     6,
     3900,
     59900,
     {"Garden Chair", "Garden Table", "Sun Lounger", "Bench", "Parasol", "Hammock"}},
    {"Cycling",
     3,
     6,
     1200,
     129900,
     {"City Bike", "Bike Helmet", "Bike Light", "Pannier", "Bike Lock", "Floor Pump"}},
    {"Hiking",
     3,
     7,
     1500,
     24900,
     {"Backpack", "Tent", "Sleeping Bag", "Trekking Poles", "Rain Jacket", "Boots"}},
    {"Fitness",
     3,
     1,
     900,
     49900,
     {"Yoga Mat", "Dumbbell Set", "Skipping Rope", "Rowing Machine", "Gym Ball",
      "Bench"}},
    {"Audio",
     4,
     12,
     1900,
     39900,
     {"Headphones", "Speaker", "Radio", "Earbuds", "Turntable", "Soundbar"}},
    {"Computers",
     4,
     9,
     1500,
     149900,
     {"Keyboard", "Mouse", "Monitor", "Laptop", "Webcam", "Docking Station"}},
    {"Smart Home",
     4,
     11,
     1900,
     24900,
     {"Thermostat", "Door Sensor", "Smart Plug", "Camera", "Light Strip", "Doorbell"}},
    {"Board Games",
     5,
     12,
     900,
     6900,
     {"Chess Set", "Card Game", "Puzzle", "Strategy Game", "Dice Game", "Quiz Game"}},
    {"Building Sets",
     5,
     12,
     1500,
     14900,
     {"Castle Set", "Train Set", "Space Set", "Harbour Set", "Farm Set", "City Set"}},
    {"Outdoor Toys",
     5,
     7,
     700,
     12900,
     {"Kite", "Ball", "Scooter", "Sandbox", "Frisbee", "Water Slide"}},
};

const struct sample_words sample_adjectives =
    WORDS("Classic", "Compact", "Nordic", "Rustic", "Modern", "Deluxe", "Basic",
          "Premium", "Light", "Sturdy", "Foldable", "Handmade", "Urban", "Vintage",
          "Essential", "Family", "Travel", "Comfort", "Pro", "Eco");

const struct sample_words sample_first_names =
    WORDS("Anna", "Ben", "Clara", "David", "Elena", "Felix", "Greta", "Hugo", "Ines",
          "Jonas", "Katja", "Leo", "Marta", "Noah", "Olivia", "Paul", "Quentin", "Rosa",
          "Samuel", "Tilda", "Umar", "Vera", "William", "Xenia", "Yara", "Zeno", "Amelia",
          "Bruno", "Chiara", "Daan", "Emma", "Finn", "Giulia", "Henrik", "Isabel", "Jan",
          "Klara", "Lucas", "Maria", "Nils", "Oscar", "Petra", "Rafael", "Sofia", "Tom",
          "Ursula", "Viktor", "Wanda", "Yusuf", "Zoe", "Aisha", "Carlos", "Dagmar", "Eva",
          "Frida", "Gustav", "Hannah", "Ivan", "Julia", "Karim");

const struct sample_words sample_last_names = WORDS(
    "Almeida", "Andersen", "Bauer", "Becker", "Bianchi", "Carlsen", "Costa", "Diaz",
    "Dubois", "Eriksson", "Fischer", "Fontana", "Garcia", "Gruber", "Hansen", "Hoffmann",
    "Huber", "Ivanova", "Jansen", "Jensen", "Keller", "Klein", "Kowalski", "Larsen",
    "Laurent", "Lehmann", "Lopez", "Maier", "Marino", "Martin", "Meyer", "Moreau",
    "Moretti", "Nagy", "Novak", "Olsen", "Pereira", "Peters", "Petit", "Ricci", "Richter",
    "Rossi", "Santos", "Schmidt", "Schneider", "Silva", "Smit", "Sorensen", "Steiner",
    "Svensson", "Torres", "Ulrich", "Varga", "Vidal", "Visser", "Vogel", "Wagner",
    "Weber", "Wolf", "Zimmermann");

const struct sample_words sample_streets =
    WORDS("Station Road", "Church Street", "Mill Lane", "Park Avenue", "Market Square",
          "Garden Way", "River Street", "School Lane", "Castle Road", "Harbour Street",
          "Forest Way", "Linden Alley", "Bridge Street", "King Street", "Chestnut Road");

const struct sample_words sample_supplier_names =
    WORDS("Alpenholz", "Baltic Textiles", "Brightwell", "Casa Verde", "Corvin Metal",
          "Delta Home", "Elmwood", "Fjord Design", "Green Valley", "Hartmann Tools",
          "Iberia Ceramics", "Juniper Works", "Kestrel Sports", "Lumen & Co",
          "Marble Hill", "Nova Electronics", "Oakline", "Pioneer Outdoor", "Quartz Audio",
          "Redstone", "Silverbrook", "Tulip Toys", "Unity Kitchen", "Vento Cycles",
          "Westwind", "Yellow House", "Zephyr Plastics", "Northlight");

const struct sample_words sample_comments_good =
    WORDS("Exactly what I needed.", "Great quality for the price.",
          "Arrived quickly, works well.", "Looks even better than in the pictures.",
          "Would buy it again.", "A lovely gift.", "Sturdy and well made.",
          "My favourite purchase this year.");

const struct sample_words sample_comments_bad =
    WORDS("Broke after two weeks.", "Smaller than expected.", "The colour is different.",
          "Delivery took far too long.", "Not worth the money.", "Parts were missing.");

static const struct sample_city sample_cities[] = {
    {"Berlin", "Germany", 14, "10###"},
    {"Hamburg", "Germany", 9, "20###"},
    {"Munich", "Germany", 9, "80###"},
    {"Cologne", "Germany", 6, "50###"},
    {"Bonn", "Germany", 3, "53###"},
    {"Leipzig", "Germany", 3, "04###"},
    {"Vienna", "Austria", 8, "1##0"},
    {"Graz", "Austria", 3, "80##"},
    {"Zurich", "Switzerland", 6, "80##"},
    {"Basel", "Switzerland", 3, "40##"},
    {"Paris", "France", 10, "75###"},
    {"Lyon", "France", 4, "69###"},
    {"Nantes", "France", 2, "44###"},
    {"Amsterdam", "Netherlands", 6, "10## AB"},
    {"Utrecht", "Netherlands", 3, "35## CD"},
    {"Milan", "Italy", 5, "20###"},
    {"Rome", "Italy", 4, "00###"},
    {"Madrid", "Spain", 5, "28###"},
    {"Valencia", "Spain", 3, "46###"},
    {"Copenhagen", "Denmark", 4, "2###"},
    {"Stockholm", "Sweden", 4, "11# ##"},
    {"Warsaw", "Poland", 4, "00-###"},
    {"Prague", "Czechia", 3, "1## 00"},
    {"Lisbon", "Portugal", 3, "1###-###"},
};
static const size_t sample_city_count = sizeof sample_cities / sizeof *sample_cities;

const char *sample_word(struct sample *sample, const struct sample_words *words)
{
    return words->items[sample_below(sample, (int64_t)words->count)];
}

const struct sample_city *sample_city(struct sample *sample)
{
    int64_t total = 0;
    for (size_t i = 0; i < sample_city_count; i++) {
        total += sample_cities[i].weight;
    }
    int64_t pick = sample_below(sample, total);
    size_t at = 0;
    while (pick >= sample_cities[at].weight) {
        pick -= sample_cities[at++].weight;
    }
    return &sample_cities[at];
}
